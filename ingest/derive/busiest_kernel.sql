-- table: busiest_kernel
-- about: The kernels of the stream that has most of them, in their order.
WITH kernels AS (
  SELECT p.track_id, p.ts, p.ts + p.dur AS end_ts, p.name, p.slice_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'stream' AND p.class IN ('compute', 'mc2') AND p.ts >= $ts
)
SELECT row_number() OVER (ORDER BY ts, slice_id) - 1 AS place, ts, end_ts, name
FROM kernels
WHERE track_id = (
  SELECT track_id FROM kernels
  GROUP BY track_id ORDER BY count(*) DESC, track_id LIMIT 1
)
