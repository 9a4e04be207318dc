-- about: Kernels that still run when the next one of their stream begins. A stream
--        runs one after another, so their length may not be true.
WITH nested AS (
  SELECT DISTINCT p.track_id
  FROM placed AS p
  POSITIONAL JOIN nesting AS n
  WHERE p.class IN ('compute', 'mc2') AND (n.depth > 0 OR n.sublane > 0)
), task AS (
  SELECT
    p.name,
    p.ts + p.dur AS end_ts,
    lead(p.ts) OVER (PARTITION BY p.track_id ORDER BY p.slice_id) AS next_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  SEMI JOIN nested AS n USING (track_id)
  WHERE l.kind = 'stream' AND l.stream_id IS NOT NULL
    AND p.class IN ('compute', 'mc2')
), running AS (
  SELECT name, end_ts - next_ts AS beside FROM task WHERE end_ts > next_ts
)
SELECT
  '' AS file,
  'info' AS severity,
  count(*) AS count,
  arg_max(n.text, (r.beside, n.text))
    || ' and others: npuview sql PATH --preset stream_overlaps' AS sample
FROM running AS r
JOIN word AS n ON r.name = n.code
HAVING count(*) > 0
