-- Collectives with what is the same of them on every rank that takes part: the
-- group, the name, the step, and which of those in it (nth). A group that is
-- only numbered has the tail of its hash in the names.
SELECT
  *,
  row_number() OVER (
    PARTITION BY rank, device_id, "group", step, name
    ORDER BY ts, collective_id
  ) AS nth,
  concat_ws(
    '_', "group", nullif(regexp_extract(name, '^hcom_\w*?__(\d+)_', 1), '')
  ) AS communicator
FROM collective
