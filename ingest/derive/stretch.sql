-- table: stretch
-- about: The spans of a device's own lanes: its gaps, and between them the
--        stretches in which it works.
WITH work AS (
  SELECT device_id, min(ts) AS ts, max(end_ts) AS end_ts
  FROM device_span
  WHERE state <> 9
  GROUP BY device_id
), gaps AS (
  SELECT device_id, ts, ts + dur AS end_ts
  FROM gap
  WHERE kind = 'device'
), borders AS (
  FROM gaps
  UNION ALL
  SELECT device_id, end_ts AS ts, end_ts FROM work
), stretches AS (
  SELECT 'gap' AS kind, * FROM gaps
  UNION ALL
  SELECT
    'device' AS kind,
    b.device_id,
    coalesce(
      lag(b.end_ts) OVER (PARTITION BY b.device_id ORDER BY b.ts), w.ts
    ) AS ts,
    b.ts AS end_ts
  FROM borders AS b
  JOIN work AS w ON b.device_id IS NOT DISTINCT FROM w.device_id
)
SELECT l.track_id, s.ts, s.end_ts - s.ts AS dur, s.end_ts
FROM stretches AS s
JOIN lane AS l
  ON l.kind = s.kind AND l.device_id IS NOT DISTINCT FROM s.device_id
ORDER BY s.ts, l.track_id
