-- title:   Who holds the memory
-- about:   The allocations that are held at an instant, summed by operator or
--          one by one: at at_ts, or where an allocator first has its peak.
--          level_bytes is what it has given away then; share is of that, and
--          explained_share what all allocations here have of it. A row without
--          a name is the rest: taken before the profile began, or not told.
--          ts and release_ts are of the largest.
-- param:   rank INTEGER = NULL       only this rank
-- param:   component VARCHAR = NULL  only this allocator (PTA, GE, …)
-- param:   at_ts BIGINT = NULL       at this instant, ns
-- param:   by VARCHAR = 'operator' of operator|allocation  what is listed
-- param:   limit BIGINT = NULL       so many rows
-- columns: rank INTEGER, device_id INTEGER, component VARCHAR, at_ts BIGINT,
--          level_bytes BIGINT, name VARCHAR, count BIGINT,
--          held_bytes BIGINT, share DOUBLE, explained_share DOUBLE,
--          largest_bytes BIGINT,
--          ts BIGINT, release_ts BIGINT, step INTEGER,
--          allocation_id BIGINT
-- needs:   allocation, memory_total
WITH total AS (
  SELECT *
  FROM memory_total
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($component IS NULL OR component = $component)
    AND ($at_ts IS NULL OR ts <= $at_ts)
), extreme AS (
  SELECT
    rank, device_id, component, max(bytes) AS most, max(ts) AS last_ts
  FROM total
  GROUP BY rank, device_id, component
), instant AS (
  SELECT
    t.rank,
    t.device_id,
    t.component,
    max(t.bytes) AS level,
    coalesce($at_ts, min(t.ts)) AS at_ts
  FROM total AS t
  JOIN extreme AS e
    ON e.rank = t.rank
    AND e.device_id IS NOT DISTINCT FROM t.device_id
    AND e.component = t.component
    AND CASE
      WHEN $at_ts IS NULL THEN t.bytes = e.most ELSE t.ts = e.last_ts
    END
  GROUP BY t.rank, t.device_id, t.component
), held AS (
  SELECT
    i.rank,
    i.device_id,
    i.component,
    i.at_ts,
    i.level,
    a.name,
    a.allocation_id,
    a.bytes
  FROM instant AS i
  JOIN allocation AS a
    ON a.rank = i.rank
    AND a.device_id IS NOT DISTINCT FROM i.device_id
    AND a.component = i.component
    AND (a.ts IS NULL OR a.ts <= i.at_ts)
    AND (a.release_ts IS NULL OR a.release_ts > i.at_ts)
), holder AS (
  SELECT
    rank,
    device_id,
    component,
    at_ts,
    level,
    name,
    count(*) AS count,
    sum(bytes) AS bytes,
    max(bytes) AS largest_bytes,
    arg_max(allocation_id, (bytes, -allocation_id)) AS allocation_id
  FROM held
  GROUP BY
    rank, device_id, component, at_ts, level, name,
    CASE WHEN $by = 'allocation' THEN allocation_id END
), explained AS (
  SELECT
    i.rank,
    i.device_id,
    i.component,
    i.at_ts,
    i.level,
    coalesce(sum(h.bytes), 0) AS bytes
  FROM instant AS i
  LEFT JOIN holder AS h
    ON h.rank = i.rank
    AND h.device_id IS NOT DISTINCT FROM i.device_id
    AND h.component = i.component
  GROUP BY i.rank, i.device_id, i.component, i.at_ts, i.level
), every AS (
  FROM holder
  UNION ALL BY NAME
  SELECT
    rank, device_id, component, at_ts, level, NULL AS name,
    level - bytes AS bytes
  FROM explained
  WHERE level > bytes
)
SELECT
  e.rank,
  e.device_id,
  e.component,
  e.at_ts,
  try_cast(e.level AS BIGINT) AS level_bytes,
  e.name,
  e.count,
  try_cast(e.bytes AS BIGINT) AS held_bytes,
  e.bytes / nullif(e.level, 0) AS share,
  x.bytes / nullif(e.level, 0) AS explained_share,
  e.largest_bytes,
  a.ts,
  a.release_ts,
  a.step,
  e.allocation_id
FROM every AS e
JOIN explained AS x
  ON x.rank = e.rank
  AND x.device_id IS NOT DISTINCT FROM e.device_id
  AND x.component = e.component
LEFT JOIN allocation AS a ON a.allocation_id = e.allocation_id
ORDER BY
  e.rank,
  e.device_id,
  e.level DESC,
  e.component,
  e.count IS NULL,
  e.bytes DESC,
  e.name,
  e.allocation_id
LIMIT $limit
