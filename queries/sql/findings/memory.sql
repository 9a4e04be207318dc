-- title:   Memory that grows, lies unused or is nearly full
-- about:   Of each allocator over the judged steps. memory_growth: more is
--          held at the end of every step than at that of the one before, on
--          the average by least_growth of its peak; longest is the step that
--          keeps most. memory_unused: where most is held, so much of what is
--          reserved is held by nobody. memory_full: most is reserved near the
--          capacity, which is 0 where nobody named the chip. ns is NULL: no
--          time is at stake.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_growths BIGINT        so many growths in a row
-- param:   least_growth DOUBLE         share of the peak, per step
-- param:   least_unused DOUBLE         share of what is reserved
-- param:   least_unused_bytes BIGINT   and so many bytes
-- param:   capacity_bytes BIGINT       memory of the device
-- param:   least_full DOUBLE           share of the capacity
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          component VARCHAR, grown_bytes BIGINT, growths BIGINT,
--          kept_name VARCHAR, peak_bytes BIGINT, reserved_bytes BIGINT,
--          unused_bytes BIGINT, held_share DOUBLE, capacity_bytes BIGINT
-- needs:   step_memory, memory_series, memory_total, counter, allocation,
--          judged_step
WITH judged AS (
  SELECT rank, count(*) AS steps, sum(dur)::BIGINT AS period
  FROM judged_step
  WHERE ($rank IS NULL OR rank = $rank)
    AND CASE WHEN $step IS NULL THEN judged ELSE step = $step END
  GROUP BY rank
), total AS (
  SELECT t.*, j.steps, j.period
  FROM memory_total AS t
  JOIN judged AS j ON j.rank = t.rank
), peak AS (
  SELECT
    rank, device_id, component, steps, period,
    max(bytes) AS peak
  FROM total
  GROUP BY ALL
), placed AS (
  SELECT p.*, min(t.ts) AS ts
  FROM peak AS p
  JOIN total AS t
    ON t.rank = p.rank
    AND t.device_id IS NOT DISTINCT FROM p.device_id
    AND t.component = p.component
    AND t.bytes = p.peak
  GROUP BY ALL
), kept AS (
  SELECT rank, device_id, component, name, sum(bytes) AS bytes
  FROM allocation
  WHERE release_ts IS NULL
    AND step IN (SELECT step FROM judged_step WHERE judged)
  GROUP BY rank, device_id, component, name
), keeper AS (
  SELECT
    rank, device_id, component, arg_max(name, (bytes, name)) AS name
  FROM kept
  GROUP BY rank, device_id, component
), grown AS (
  SELECT
    g.rank, g.device_id, g.component,
    any_value(g.slope) AS slope,
    any_value(g.growths) AS growths,
    arg_max(g.step, (g.growth, -g.end_ts)) AS step
  FROM step_memory AS g
  WHERE g.judged
    AND g.growths >= $least_growths
    AND g.rising = g.growths
  GROUP BY g.rank, g.device_id, g.component
), reserved AS (
  SELECT
    s.rank, s.device_id, s.source, s.component, c.ts,
    max(c.value * s.unit_bytes) AS bytes
  FROM memory_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE s.key = 'reserved'
    AND s.rank IN (SELECT rank FROM judged)
  GROUP BY ALL
), beside AS (
  SELECT
    p.rank, p.device_id, p.component, p.ts, p.peak, p.steps, p.period,
    arg_max(r.bytes, r.ts) AS reserved
  FROM placed AS p
  JOIN reserved AS r
    ON r.rank = p.rank
    AND r.device_id IS NOT DISTINCT FROM p.device_id
    AND r.component = p.component
    AND r.ts <= p.ts
    AND r.source = 'memory_record'
  GROUP BY ALL
), fullest AS (
  SELECT
    rank, device_id,
    max(bytes) AS bytes,
    min(ts) AS ts,
    arg_max(component, (bytes, component)) AS component
  FROM reserved
  GROUP BY rank, device_id
)
SELECT
  'memory_growth' AS rule,
  NULL::VARCHAR AS variant,
  p.rank,
  p.device_id,
  g.step,
  p.steps,
  NULL::BIGINT AS ns,
  p.period,
  p.ts,
  1::BIGINT AS dur,
  NULL::VARCHAR AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  p.component,
  try_cast(g.slope AS BIGINT) AS grown_bytes,
  g.growths,
  k.name AS kept_name,
  try_cast(p.peak AS BIGINT) AS peak_bytes,
  NULL::BIGINT AS reserved_bytes,
  NULL::BIGINT AS unused_bytes,
  g.slope / nullif(p.peak, 0) AS held_share,
  NULL::BIGINT AS capacity_bytes
FROM placed AS p
JOIN grown AS g
  ON g.rank = p.rank
  AND g.device_id IS NOT DISTINCT FROM p.device_id
  AND g.component = p.component
LEFT JOIN keeper AS k
  ON k.rank = p.rank
  AND k.device_id IS NOT DISTINCT FROM p.device_id
  AND k.component = p.component
WHERE g.slope >= $least_growth * p.peak
UNION ALL
SELECT
  'memory_unused', NULL, rank, device_id, NULL, steps, NULL, period, ts, 1,
  NULL, FALSE, NULL, component, NULL, NULL, NULL, try_cast(peak AS BIGINT),
  try_cast(reserved AS BIGINT), try_cast(reserved - peak AS BIGINT),
  (reserved - peak) / nullif(reserved, 0), NULL
FROM beside
WHERE reserved - peak >= $least_unused * reserved
  AND reserved - peak >= $least_unused_bytes
UNION ALL
SELECT
  'memory_full', NULL, f.rank, f.device_id, NULL, j.steps, NULL, j.period,
  f.ts, 1, NULL, FALSE, NULL, f.component, NULL, NULL, NULL, NULL,
  try_cast(f.bytes AS BIGINT), NULL, f.bytes / $capacity_bytes,
  $capacity_bytes::BIGINT
FROM fullest AS f
JOIN judged AS j ON j.rank = f.rank
WHERE $capacity_bytes > 0
  AND f.bytes >= $least_full * $capacity_bytes
ORDER BY rule, rank, device_id, component
