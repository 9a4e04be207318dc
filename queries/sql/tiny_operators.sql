-- title:   Kernels shorter than a launch
-- about:   By operator type, the kernels that take less time than lies between
--          two launches of this profile (launch_ns, the median): count of them,
--          of so many calls, and their time. While the host keeps ahead that
--          costs nothing: starved counts those for which the device had waited
--          with an empty queue, idle_ns is how long it waited while the
--          host enqueued and launched.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, type VARCHAR, core VARCHAR, calls BIGINT,
--          count BIGINT, total BIGINT, avg BIGINT, launch_ns BIGINT,
--          starved BIGINT, idle_ns BIGINT, period_share DOUBLE,
--          longest_kernel_id BIGINT
-- needs:   kernel, stall, launch_pace, step
WITH periods AS (
  SELECT rank, sum(dur) AS period
  FROM step
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank
), run AS (
  SELECT
    k.rank,
    coalesce(k.type, k.name) AS type,
    k.core,
    k.kernel_id,
    k.slice_id,
    k.dur,
    k.dur < p.launch_ns AS tiny,
    p.launch_ns
  FROM kernel AS k
  JOIN launch_pace AS p ON p.rank = k.rank
  WHERE ($rank IS NULL OR k.rank = $rank)
    AND ($step IS NULL OR k.step = $step)
    AND NOT communicates(k.core)
), waited AS (
  SELECT next_slice_id AS slice_id, sum(dur)::BIGINT AS idle
  FROM stall
  WHERE state = 'idle'
    -- A pause, a wait or a replay before it is not made shorter by fusing it.
    AND cause IN ('host_framework', 'host_launch')
    AND step IS NOT NULL
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY next_slice_id
), grouped AS (
  SELECT
    r.rank,
    r.type,
    r.core,
    count(*) AS calls,
    count(*) FILTER (r.tiny) AS count,
    sum(r.dur) FILTER (r.tiny)::BIGINT AS total,
    any_value(r.launch_ns) AS launch_ns,
    count(w.idle) FILTER (r.tiny) AS starved,
    coalesce(sum(w.idle) FILTER (r.tiny), 0)::BIGINT AS idle_ns,
    arg_max(r.kernel_id, by_length(w.idle, r.kernel_id))
      FILTER (r.tiny AND w.idle IS NOT NULL) AS longest_kernel_id
  FROM run AS r
  LEFT JOIN waited AS w ON w.slice_id = r.slice_id
  GROUP BY r.rank, r.type, r.core
  HAVING count(*) FILTER (r.tiny) > 0
)
SELECT
  g.rank,
  g.type,
  g.core,
  g.calls,
  g.count,
  g.total,
  g.total // g.count AS avg,
  g.launch_ns,
  g.starved,
  g.idle_ns,
  g.idle_ns / nullif(p.period, 0) AS period_share,
  g.longest_kernel_id
FROM grouped AS g
LEFT JOIN periods AS p ON p.rank = g.rank
ORDER BY g.idle_ns DESC, g.count DESC, g.rank, g.type, g.core
LIMIT $limit
