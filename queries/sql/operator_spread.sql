-- title:   Spread of operators
-- about:   Operators on AI Cores whose longest call takes least_spread times
--          the shortest or more, most time first; what communicates waits, and
--          is left out. explained says that no shape group (same shapes, types
--          and formats, in and out) spreads as far: the shapes tell the calls
--          apart. Else slow calls are so much longer than the shortest of their
--          group, excess_ns what they take more than it. converted counts the
--          slow and fast_converted the other calls of those groups that had a
--          conversion directly before them on their stream, conversion the one
--          found most often; NULL explained: shapes were not collected.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only this step
-- param:   type VARCHAR = NULL       only this type, or name where it has none
-- param:   least_spread DOUBLE = 5   longest over shortest call
-- param:   least_calls BIGINT = 5    calls from which a spread counts
-- param:   limit BIGINT = NULL       so many rows
-- columns: rank INTEGER, type VARCHAR, core VARCHAR, count BIGINT,
--          total BIGINT, min BIGINT, max BIGINT, spread DOUBLE,
--          explained BOOLEAN, shape_groups BIGINT, group_spread DOUBLE,
--          slow BIGINT, fast BIGINT, excess_ns BIGINT, converted BIGINT,
--          fast_converted BIGINT, conversion VARCHAR, conversion_ns BIGINT,
--          longest_ts BIGINT, longest_kernel_id BIGINT
-- needs:   kernel, kernel_shape, layout_call
WITH kernels AS NOT MATERIALIZED (
  FROM kernel
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
), shaped AS MATERIALIZED (
  FROM shape_spread('kernels', $least_spread, $least_calls)
  WHERE $type IS NULL OR kind = $type
), grouped AS (
  SELECT
    rank,
    kind,
    core,
    sum(count)::BIGINT AS count,
    sum(total)::BIGINT AS total,
    min(least) AS min,
    max(most) AS max,
    CASE
      WHEN NOT bool_or(spreads) THEN TRUE
      WHEN bool_or(has_shapes) THEN FALSE
    END AS explained,
    count(*) AS shape_groups,
    max(most / greatest(least, 1)) AS group_spread
  FROM shaped
  GROUP BY rank, kind, core
), told AS (
  SELECT
    s.rank,
    s.kind,
    s.core,
    sum(c.slow)::BIGINT AS slow,
    sum(c.count - c.slow)::BIGINT AS fast,
    sum(c.excess_ns)::BIGINT AS excess_ns,
    arg_max(c.longest_kernel_id, by_length(c.longest, c.longest_kernel_id))
      AS longest_kernel_id
  FROM (
    SELECT
      shape_group,
      count(*) AS count,
      count(*) FILTER (slow) AS slow,
      sum(dur - least) FILTER (slow) AS excess_ns,
      any_value(most) AS longest,
      -- The first of them, which is slow: else the group would not spread.
      min(kernel_id) FILTER (dur = most) AS longest_kernel_id
    FROM spread_call('shaped', 'kernels', $least_spread)
    GROUP BY shape_group
  ) AS c
  JOIN shaped AS s ON s.shape_group = c.shape_group
  GROUP BY s.rank, s.kind, s.core
), followers AS MATERIALIZED (
  SELECT
    k.rank, k.kernel_id, k.core, k.shape_id, k.dur,
    l.type AS conversion,
    l.dur AS conversion_dur
  FROM layout_call AS l
  JOIN kernel AS k ON k.kernel_id = l.next_kernel_id
  WHERE ($rank IS NULL OR k.rank = $rank)
    AND ($step IS NULL OR (k.step = $step AND l.step = $step))
), converted AS (
  SELECT
    rank,
    kind,
    core,
    count(*) FILTER (slow) AS converted,
    count(*) FILTER (NOT slow) AS fast_converted,
    mode(conversion ORDER BY conversion) FILTER (slow) AS conversion,
    sum(conversion_dur) FILTER (slow)::BIGINT AS conversion_ns
  FROM spread_call('shaped', 'followers', $least_spread)
  GROUP BY rank, kind, core
)
SELECT
  g.rank,
  g.kind AS type,
  g.core,
  g.count,
  g.total,
  g.min,
  g.max,
  g.max / nullif(g.min, 0) AS spread,
  g.explained,
  g.shape_groups,
  g.group_spread,
  coalesce(t.slow, 0) AS slow,
  coalesce(t.fast, 0) AS fast,
  coalesce(t.excess_ns, 0) AS excess_ns,
  coalesce(c.converted, 0) AS converted,
  coalesce(c.fast_converted, 0) AS fast_converted,
  c.conversion,
  coalesce(c.conversion_ns, 0) AS conversion_ns,
  k.ts AS longest_ts,
  t.longest_kernel_id
FROM grouped AS g
LEFT JOIN told AS t ON t.rank = g.rank AND t.kind = g.kind AND t.core = g.core
LEFT JOIN converted AS c
  ON c.rank = g.rank AND c.kind = g.kind AND c.core = g.core
LEFT JOIN kernel AS k ON k.kernel_id = t.longest_kernel_id
ORDER BY g.total DESC, g.rank, g.kind, g.core
LIMIT $limit
