-- table: device_gap
-- about: Maximal stretches between two device tasks in which no compute,
--        communication or copy runs, each with the tasks on its two sides: where
--        several end or begin together the one of the lowest state, then number.
WITH gaps AS (
  SELECT
    device_id,
    end_ts AS ts,
    lead(ts) OVER (PARTITION BY device_id ORDER BY ts) AS end_ts
  FROM device_segment
  WHERE state < 9
  QUALIFY lead(ts) OVER (PARTITION BY device_id ORDER BY ts) > end_ts
), waits AS (
  SELECT g.device_id, g.ts, sum(s.end_ts - s.ts)::BIGINT AS wait_ns
  FROM device_segment AS s
  ASOF JOIN gaps AS g
    ON s.device_id IS NOT DISTINCT FROM g.device_id AND s.ts >= g.ts
  WHERE s.state = 9 AND s.ts < g.end_ts
  GROUP BY g.device_id, g.ts
), before AS (
  SELECT d.device_id, d.end_ts, arg_min(d.slice_id, (d.state, d.slice_id)) AS slice_id
  FROM device_span AS d
  SEMI JOIN gaps AS g
    ON d.device_id IS NOT DISTINCT FROM g.device_id AND d.end_ts = g.ts
  WHERE d.state < 9
  GROUP BY d.device_id, d.end_ts
), after AS (
  SELECT d.device_id, d.ts, arg_min(d.slice_id, (d.state, d.slice_id)) AS slice_id
  FROM device_span AS d
  SEMI JOIN gaps AS g
    ON d.device_id IS NOT DISTINCT FROM g.device_id AND d.ts = g.end_ts
  WHERE d.state < 9
  GROUP BY d.device_id, d.ts
)
SELECT
  g.device_id,
  g.ts,
  g.end_ts,
  coalesce(w.wait_ns, 0) AS wait_ns,
  b.slice_id AS prev_slice_id,
  a.slice_id AS next_slice_id
FROM gaps AS g
LEFT JOIN waits AS w
  ON g.device_id IS NOT DISTINCT FROM w.device_id AND g.ts = w.ts
LEFT JOIN before AS b
  ON g.device_id IS NOT DISTINCT FROM b.device_id AND g.ts = b.end_ts
LEFT JOIN after AS a
  ON g.device_id IS NOT DISTINCT FROM a.device_id AND g.end_ts = a.ts
