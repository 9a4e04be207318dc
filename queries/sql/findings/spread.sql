-- title:   Calls that are slow for no reason of shape
-- about:   Operators on AI Cores of which, in the judged steps, some calls take
--          least_spread times the shortest call of the same shapes, types and
--          formats or more: ns is what they take more than it. Named is the one
--          that loses most, and the conversion that ran directly before more of
--          its slow calls than of the others.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_spread DOUBLE  longest over shortest call
-- param:   least_calls BIGINT   calls from which a spread counts
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          type VARCHAR, core VARCHAR, count BIGINT, slow_count BIGINT,
--          shortest_ns BIGINT, longest_ns BIGINT, conversion VARCHAR,
--          converted_count BIGINT, other_types BIGINT
-- needs:   judged_step, step, kernel, kernel_shape, layout_call
WITH kernels AS NOT MATERIALIZED (
  SELECT k.*
  FROM kernel AS k
  JOIN judged($rank, $step) AS j ON j.rank = k.rank AND j.step = k.step
), shaped AS MATERIALIZED (
  FROM shape_spread('kernels', $least_spread, $least_calls)
  WHERE has_shapes
), preceded AS (
  SELECT
    c.*,
    c.dur - c.least AS excess,
    j.steps,
    j.period,
    l.type AS conversion
  FROM spread_call('shaped', 'kernels', $least_spread) AS c
  LEFT JOIN layout_call AS l
    ON l.next_kernel_id = c.kernel_id
    AND ($step IS NULL OR l.step = $step)
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
), typed AS (
  SELECT
    rank,
    device_id,
    kind,
    core,
    any_value(steps) AS steps,
    any_value(period) AS period,
    count(*) AS count,
    count(*) FILTER (slow) AS slow,
    sum(excess) FILTER (slow) AS excess,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'least': least},
      by_length(excess, kernel_id)
    ) AS longest,
    arg_max(slice_id, by_length(excess, kernel_id), 5)
      FILTER (slow AND slice_id IS NOT NULL) AS evidence,
    mode(conversion ORDER BY conversion) FILTER (slow) AS conversion,
    count(conversion) FILTER (slow) AS converted,
    count(conversion) FILTER (NOT slow) AS fast_converted
  FROM preceded
  GROUP BY rank, device_id, kind, core
), summed AS (
  SELECT
    *,
    sum(excess) OVER (PARTITION BY rank, device_id) AS ns,
    count(*) OVER (PARTITION BY rank, device_id) - 1 AS others,
    -- What runs before the other calls as often does not tell them apart.
    slow > 0 AND converted * (count - slow) > fast_converted * slow AS tells
  FROM typed
  QUALIFY row_number() OVER (
    PARTITION BY rank, device_id ORDER BY excess DESC, kind, core
  ) = 1
)
SELECT
  'spread' AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  longest.step AS step,
  steps,
  ns::BIGINT AS ns,
  period,
  longest.ts AS ts,
  longest.dur AS dur,
  array_to_string(evidence, ' ') AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  kind AS type,
  core,
  count,
  slow AS slow_count,
  longest.least AS shortest_ns,
  longest.dur AS longest_ns,
  CASE WHEN tells THEN conversion END AS conversion,
  CASE WHEN tells THEN converted END AS converted_count,
  nullif(others, 0) AS other_types
FROM summed
ORDER BY rank, device_id
