-- What each allocator has given away at the end of each step of the host, its
-- growth since the end of the step before, and over all judged steps the mean
-- of that and how often it is above 0.
WITH ends AS (
  SELECT s.rank, s.step, s.ts, s.end_ts, j.judged
  FROM host_step AS s
  JOIN judged_step AS j ON j.rank = s.rank AND j.step = s.step
), told AS MATERIALIZED (
  -- Every total under the first step that ends after it.
  SELECT
    t.rank, t.device_id, t.component, t.ts, t.bytes, e.step, e.end_ts,
    t.ts >= e.ts AND t.ts < e.end_ts AS inside
  FROM memory_total AS t
  ASOF JOIN ends AS e ON e.rank = t.rank AND t.ts <= e.end_ts
), last AS (
  SELECT
    rank, device_id, component, step,
    max(ts) AS ts,
    max(bytes) FILTER (inside) AS peak
  FROM told
  GROUP BY rank, device_id, component, step
), ended AS (
  SELECT l.rank, l.device_id, l.component, l.step, max(t.bytes) AS bytes
  FROM last AS l
  JOIN told AS t
    ON t.rank = l.rank
    AND t.device_id IS NOT DISTINCT FROM l.device_id
    AND t.component = l.component
    AND t.step = l.step
    AND t.ts = l.ts
  GROUP BY l.rank, l.device_id, l.component, l.step
), place AS (
  SELECT DISTINCT rank, device_id, component FROM last
), level AS (
  SELECT
    p.rank, p.device_id, p.component, e.step, e.end_ts, e.judged, l.peak,
    last_value(b.bytes IGNORE NULLS) OVER (
      PARTITION BY p.rank, p.device_id, p.component ORDER BY e.end_ts
    ) AS level
  FROM place AS p
  JOIN ends AS e ON e.rank = p.rank
  LEFT JOIN last AS l
    ON l.rank = p.rank
    AND l.device_id IS NOT DISTINCT FROM p.device_id
    AND l.component = p.component
    AND l.step = e.step
  LEFT JOIN ended AS b
    ON b.rank = p.rank
    AND b.device_id IS NOT DISTINCT FROM p.device_id
    AND b.component = p.component
    AND b.step = e.step
), grown AS (
  SELECT
    *,
    level - lag(level) OVER (
      PARTITION BY rank, device_id, component ORDER BY end_ts
    ) AS growth,
    lag(judged) OVER (
      PARTITION BY rank, device_id, component ORDER BY end_ts
    ) AND judged AS counts
  FROM level
), slope AS (
  SELECT
    rank, device_id, component,
    avg(growth) AS slope,
    count(*) FILTER (growth > 0) AS rising,
    count(growth) AS growths
  FROM grown
  WHERE counts
  GROUP BY rank, device_id, component
)
SELECT
  g.rank, g.device_id, g.component, g.step, g.end_ts, g.judged, g.level,
  g.growth, g.peak, s.slope, s.rising, s.growths
FROM grown AS g
LEFT JOIN slope AS s
  ON s.rank = g.rank
  AND s.device_id IS NOT DISTINCT FROM g.device_id
  AND s.component = g.component
