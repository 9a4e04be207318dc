-- table: spacing
-- about: The distance that collection puts between kernels, where it was switched on:
--        most gaps behind a kernel whose successor was already launched lie close
--        together, far above what a device needs for the next task.
WITH queued AS (
  SELECT s.device_id, s.end_ts - s.ts AS dur
  FROM silence AS s
  SEMI JOIN (FROM device_span WHERE state = 1) AS k ON s.prev_slice_id = k.slice_id
  WHERE s.gap_id IS NOT NULL AND s.late_end = s.ts AND $spaced
), typical AS (
  SELECT device_id, quantile_disc(dur, 0.5) AS dur FROM queued GROUP BY device_id
)
SELECT
  t.device_id,
  t.dur * 3 // 4 AS least,
  t.dur * 4 // 3 AS most
FROM typical AS t
JOIN queued AS q
  ON t.device_id IS NOT DISTINCT FROM q.device_id
WHERE t.dur >= $least_spacing
GROUP BY t.device_id, t.dur
HAVING count(*) >= 10
  AND count(*) FILTER (q.dur BETWEEN t.dur * 3 // 4 AND t.dur * 4 // 3) * 2 >= count(*)
