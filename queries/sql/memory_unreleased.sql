-- title:   Memory never given back
-- about:   Allocations that are still held when the profile ends, by operator,
--          most bytes first. What lives on, such as the optimizer's state, is
--          among them; what comes again in every step may be a leak. share is
--          of what the allocator has given away at the end; ts is of the
--          largest.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only what was taken in this step
-- param:   component VARCHAR = NULL  only this allocator (PTA, GE, …)
-- param:   limit BIGINT = NULL       so many rows
-- columns: rank INTEGER, device_id INTEGER, component VARCHAR, name VARCHAR,
--          count BIGINT, held_bytes BIGINT, share DOUBLE, largest_bytes BIGINT,
--          ts BIGINT, steps BIGINT, first_step INTEGER, last_step INTEGER,
--          allocation_id BIGINT
-- needs:   allocation, memory_total
WITH kept AS (
  SELECT
    rank,
    device_id,
    component,
    name,
    count(*) AS count,
    sum(bytes) AS bytes,
    max(bytes) AS largest_bytes,
    arg_max(allocation_id, (bytes, -allocation_id)) AS allocation_id,
    count(DISTINCT step) AS steps,
    min(step) AS first_step,
    max(step) AS last_step
  FROM allocation
  WHERE release_ts IS NULL
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($component IS NULL OR component = $component)
  GROUP BY rank, device_id, component, name
), ended AS (
  SELECT rank, device_id, component, max(ts) AS ts
  FROM memory_total
  WHERE ($rank IS NULL OR rank = $rank)
  GROUP BY rank, device_id, component
), last AS (
  SELECT t.rank, t.device_id, t.component, max(t.bytes) AS level
  FROM memory_total AS t
  JOIN ended AS e
    ON e.rank = t.rank
    AND e.device_id IS NOT DISTINCT FROM t.device_id
    AND e.component = t.component
    AND e.ts = t.ts
  GROUP BY t.rank, t.device_id, t.component
)
SELECT
  k.rank,
  k.device_id,
  k.component,
  k.name,
  k.count,
  try_cast(k.bytes AS BIGINT) AS held_bytes,
  k.bytes / nullif(l.level, 0) AS share,
  k.largest_bytes,
  a.ts,
  k.steps,
  k.first_step,
  k.last_step,
  k.allocation_id
FROM kept AS k
JOIN allocation AS a ON a.allocation_id = k.allocation_id
LEFT JOIN last AS l
  ON l.rank = k.rank
  AND l.device_id IS NOT DISTINCT FROM k.device_id
  AND l.component = k.component
ORDER BY k.bytes DESC, k.rank, k.device_id, k.component, k.name
LIMIT $limit
