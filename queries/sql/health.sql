-- title:   Health
-- about:   What the reader noticed in the files, worst first, and what a
--          profile does not hold (kind missing), with what cannot be told
--          without it.
-- param:   rank INTEGER = NULL      only this rank
-- param:   severity VARCHAR = NULL of info|data_loss|error  only this severity
-- columns: rank INTEGER, kind VARCHAR, severity VARCHAR, file VARCHAR,
--          name VARCHAR, count BIGINT, first_offset BIGINT, sample VARCHAR
-- needs:   import_stat, missing
WITH noticed AS (
  SELECT
    rank, 'import' AS kind, severity, file, name, count, first_offset, sample
  FROM import_stat
  UNION ALL
  SELECT rank, 'missing', 'info', NULL, name, NULL, NULL, sample
  FROM missing
)
SELECT rank, kind, severity, file, name, count, first_offset, sample
FROM noticed
WHERE ($rank IS NULL OR rank = $rank)
  AND ($severity IS NULL OR severity = $severity)
ORDER BY
  list_position(['error', 'data_loss', 'info'], severity),
  kind,
  rank,
  file,
  name
