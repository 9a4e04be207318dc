-- table: numbered_gap
-- about: The gaps of both kinds with their numbers, in the order of their starts;
--        of two that begin together the gap of kind compute, which holds the other.
WITH compute AS (
  SELECT device_id, end_ts AS ts, next_ts AS end_ts
  FROM (
    SELECT
      device_id,
      end_ts,
      lead(ts) OVER (PARTITION BY device_id ORDER BY ts) AS next_ts
    FROM device_segment
    WHERE state <= 2
  )
  WHERE next_ts > end_ts
), before AS (
  SELECT d.device_id, d.end_ts, min(d.slice_id) AS slice_id
  FROM device_span AS d
  SEMI JOIN compute AS g
    ON d.device_id IS NOT DISTINCT FROM g.device_id AND d.end_ts = g.ts
  WHERE d.state <= 2
  GROUP BY d.device_id, d.end_ts
), after AS (
  SELECT d.device_id, d.ts, min(d.slice_id) AS slice_id
  FROM device_span AS d
  SEMI JOIN compute AS g
    ON d.device_id IS NOT DISTINCT FROM g.device_id AND d.ts = g.end_ts
  WHERE d.state <= 2
  GROUP BY d.device_id, d.ts
), every AS (
  SELECT 'device' AS kind, * EXCLUDE (wait_ns) FROM device_gap
  UNION ALL
  SELECT
    'compute', g.device_id, g.ts, g.end_ts, b.slice_id, a.slice_id
  FROM compute AS g
  LEFT JOIN before AS b
    ON g.device_id IS NOT DISTINCT FROM b.device_id AND g.ts = b.end_ts
  LEFT JOIN after AS a
    ON g.device_id IS NOT DISTINCT FROM a.device_id AND g.end_ts = a.ts
)
SELECT $base + row_number() OVER (ORDER BY ts, device_id, kind) - 1 AS gap_id, *
FROM every
ORDER BY gap_id
