-- The arrows between two slices of the selection, numbered by time, and the
-- kinds of arrows, numbered too.
CREATE OR REPLACE TEMP TABLE export_kind AS
SELECT
  row_number() OVER (ORDER BY category, name) AS kind,
  category,
  name
FROM (SELECT DISTINCT category, name FROM flow);

CREATE OR REPLACE TEMP TABLE export_arrow AS
SELECT
  row_number() OVER (
    ORDER BY
      least(s.ts, d.ts), k.kind, s.slice_id, d.slice_id, f.src_ts, f.dst_ts
  ) AS arrow,
  k.kind,
  s.rank,
  s.slice_id AS src_slice_id,
  d.slice_id AS dst_slice_id,
  s.start_ts AS src_start_ts,
  d.start_ts AS dst_start_ts,
  -- Above 0: the arrow points back in time.
  sign(s.ts - d.ts)::TINYINT AS direction,
  -- NULL: the end is the start of its slice.
  nullif(f.src_ts, s.start_ts) AS src_at,
  nullif(f.dst_ts, d.start_ts) AS dst_at
FROM flow AS f
JOIN export_slice AS s ON s.slice_id = f.src_slice_id
JOIN export_slice AS d ON d.slice_id = f.dst_slice_id
JOIN export_kind AS k
  ON k.category IS NOT DISTINCT FROM f.category
  AND k.name IS NOT DISTINCT FROM f.name;
