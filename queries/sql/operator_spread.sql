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
-- needs:   operator_total, kernel, judged_step
WITH grouped AS (
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
  FROM shape_spread(
    $rank, $step, FALSE, FALSE, $least_spread, $least_calls
  )
  WHERE $type IS NULL OR kind = $type
  GROUP BY rank, kind, core
), told AS (
  SELECT
    rank,
    kind,
    core,
    count(*) FILTER (slow) AS slow,
    count(*) FILTER (NOT slow) AS fast,
    sum(dur - least) FILTER (slow)::BIGINT AS excess_ns,
    count(conversion) FILTER (slow) AS converted,
    count(conversion) FILTER (NOT slow) AS fast_converted,
    mode(conversion ORDER BY conversion) FILTER (slow) AS conversion,
    coalesce(sum(conversion_dur) FILTER (slow), 0)::BIGINT AS conversion_ns,
    arg_max(ts, by_length(dur, kernel_id)) FILTER (slow) AS longest_ts,
    arg_max(kernel_id, by_length(dur, kernel_id)) FILTER (slow)
      AS longest_kernel_id
  FROM spread_call(
    $rank, $step, FALSE, FALSE, $least_spread, $least_calls
  )
  WHERE $type IS NULL OR kind = $type
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
  coalesce(t.converted, 0) AS converted,
  coalesce(t.fast_converted, 0) AS fast_converted,
  t.conversion,
  coalesce(t.conversion_ns, 0) AS conversion_ns,
  t.longest_ts,
  t.longest_kernel_id
FROM grouped AS g
LEFT JOIN told AS t ON t.rank = g.rank AND t.kind = g.kind AND t.core = g.core
ORDER BY g.total DESC, g.rank, g.kind, g.core
LIMIT $limit
