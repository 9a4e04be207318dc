-- title:   Memory by step
-- about:   What each allocator has given away at the end of each step of the
--          host, and how much more that is than at the end of the one before.
--          kept_bytes was taken in the step and is never given back here,
--          most of it by kept_name. slope_bytes is the mean growth from one
--          judged step to the next (warm-up is not judged), rising how many
--          of the growths are above 0: memory that rises in every step will
--          run out.
-- param:   rank INTEGER = NULL       only this rank
-- param:   component VARCHAR = NULL  only this allocator (PTA, GE, …)
-- columns: rank INTEGER, device_id INTEGER, component VARCHAR, step INTEGER,
--          end_ts BIGINT, level_bytes BIGINT, growth_bytes BIGINT,
--          peak_bytes BIGINT, kept_count BIGINT, kept_bytes BIGINT,
--          kept_name VARCHAR, slope_bytes BIGINT, rising BIGINT,
--          growths BIGINT
-- needs:   step_memory, allocation
WITH kept AS (
  SELECT
    rank, device_id, component, step, name,
    count(*) AS count,
    sum(bytes) AS bytes
  FROM allocation
  WHERE release_ts IS NULL
    AND ($rank IS NULL OR rank = $rank)
    AND ($component IS NULL OR component = $component)
  GROUP BY rank, device_id, component, step, name
), summed AS (
  SELECT
    rank, device_id, component, step,
    sum(count)::BIGINT AS count,
    sum(bytes) AS bytes,
    arg_max(name, (bytes, name)) AS name
  FROM kept
  GROUP BY rank, device_id, component, step
)
SELECT
  g.rank,
  g.device_id,
  g.component,
  g.step,
  g.end_ts,
  try_cast(g.level AS BIGINT) AS level_bytes,
  try_cast(g.growth AS BIGINT) AS growth_bytes,
  try_cast(g.peak AS BIGINT) AS peak_bytes,
  k.count AS kept_count,
  try_cast(k.bytes AS BIGINT) AS kept_bytes,
  k.name AS kept_name,
  try_cast(g.slope AS BIGINT) AS slope_bytes,
  g.rising,
  g.growths
FROM step_memory AS g
LEFT JOIN summed AS k
  ON k.rank = g.rank
  AND k.device_id IS NOT DISTINCT FROM g.device_id
  AND k.component = g.component
  AND k.step = g.step
WHERE ($rank IS NULL OR g.rank = $rank)
  AND ($component IS NULL OR g.component = $component)
ORDER BY g.rank, g.device_id, g.component, g.end_ts, g.step
