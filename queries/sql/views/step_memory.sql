-- What each allocator has given away at the end of each step of the host, its
-- growth since the end of the step before, and over all judged steps the mean
-- of that and how often it is above 0.
WITH total AS MATERIALIZED (
  FROM memory_total
), place AS (
  SELECT DISTINCT rank, device_id, component FROM total
), ends AS (
  SELECT p.rank, p.device_id, p.component, s.step, s.ts, s.end_ts, j.judged
  FROM place AS p
  JOIN host_step AS s ON s.rank = p.rank
  JOIN judged_step AS j ON j.rank = s.rank AND j.step = s.step
), level AS (
  SELECT e.*, t.bytes AS level
  FROM ends AS e
  ASOF LEFT JOIN total AS t
    ON t.rank = e.rank
    AND t.component = e.component
    AND coalesce(t.device_id, -1) = coalesce(e.device_id, -1)
    AND e.end_ts >= t.ts
), inside AS (
  SELECT t.*, s.step
  FROM total AS t
  ASOF JOIN host_step AS s ON s.rank = t.rank AND t.ts >= s.ts
  WHERE t.ts < s.end_ts
), peaks AS (
  SELECT rank, device_id, component, step, max(bytes) AS peak
  FROM inside
  GROUP BY rank, device_id, component, step
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
  g.growth, p.peak, s.slope, s.rising, s.growths
FROM grown AS g
LEFT JOIN peaks AS p
  ON p.rank = g.rank
  AND p.device_id IS NOT DISTINCT FROM g.device_id
  AND p.component = g.component
  AND p.step = g.step
LEFT JOIN slope AS s
  ON s.rank = g.rank
  AND s.device_id IS NOT DISTINCT FROM g.device_id
  AND s.component = g.component
