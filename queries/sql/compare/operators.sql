-- title:   Operators before and after
-- about:   The time of each operator in the median step of two runs, the
--          largest change first; of several ranks the mean of each step.
--          Warm-up does not count. base_count and test_count are calls in all
--          these steps, base_calls and test_calls those of a mean step of a
--          rank, avg the mean length of one. presence is both, new, gone or
--          mapped (operators that a map names as one, with their names in
--          parts). Spread, noise and verdict are as in figures, at least 0.01 %
--          of the period.
-- param:   by VARCHAR = 'type' of type|name  name: each kernel of its own
-- param:   prefix VARCHAR = NULL    only what begins like this
-- param:   step INTEGER = NULL      only this step of both
-- param:   map VARCHAR = NULL       JSON: {"operator after": ["before", …]}
-- param:   limit BIGINT = NULL      so many rows
-- columns: name VARCHAR, core VARCHAR, presence VARCHAR, parts VARCHAR,
--          base_steps BIGINT, test_steps BIGINT, base_count BIGINT,
--          test_count BIGINT, base_calls DOUBLE, test_calls DOUBLE,
--          base_total BIGINT, test_total BIGINT, base_avg_ns BIGINT,
--          test_avg_ns BIGINT, base_dur BIGINT,
--          test_dur BIGINT, difference BIGINT, change_share DOUBLE,
--          base_spread_ns BIGINT, test_spread_ns BIGINT, noise_ns BIGINT,
--          verdict VARCHAR
-- needs:   judged_step, operator_total
WITH named AS (
  SELECT
    e.key AS whole,
    unnest(list_append(e.value::VARCHAR[], e.key)) AS part
  FROM json_each(coalesce($map, '{}')::JSON) AS e
), picked AS (
  FROM picked_steps($step)
), ranks AS (
  SELECT side, step, count(DISTINCT rank) AS ranks
  FROM picked
  GROUP BY side, step
), listed AS (
  SELECT
    o.side,
    o.step,
    CASE
      WHEN $by = 'type' THEN coalesce(nullif(o.type, ''), o.name)
      ELSE o.name
    END AS own,
    o.core,
    o.count,
    o.total
  FROM (
    SELECT 'base' AS side, rank, step, name, type, core, count, total
    FROM base.operator_total
    UNION ALL
    SELECT 'test', rank, step, name, type, core, count, total
    FROM test.operator_total
  ) AS o
  SEMI JOIN picked AS p USING (side, rank, step)
), wholes AS (
  SELECT
    l.side,
    l.step,
    coalesce(n.whole, l.own) AS name,
    CASE WHEN n.whole IS NULL THEN l.core END AS core,
    n.whole IS NOT NULL AS mapped,
    l.own,
    sum(l.count)::BIGINT AS count,
    sum(l.total)::BIGINT AS total
  FROM listed AS l
  LEFT JOIN named AS n ON n.part = l.own
  WHERE $prefix IS NULL OR starts_with(coalesce(n.whole, l.own), $prefix)
  GROUP BY ALL
), every AS (
  SELECT
    name,
    core,
    mapped,
    CASE WHEN mapped THEN string_agg(DISTINCT own, ', ' ORDER BY own) END
      AS parts
  FROM wholes
  GROUP BY name, core, mapped
), measured AS (
  -- An operator that a step does not call takes none of its time.
  SELECT
    r.side,
    r.step,
    e.name,
    e.core,
    e.mapped,
    coalesce(sum(w.count), 0) AS count,
    coalesce(sum(w.total), 0) AS total,
    any_value(r.ranks) AS ranks,
    coalesce(sum(w.total), 0) // any_value(r.ranks) AS dur
  FROM ranks AS r
  CROSS JOIN every AS e
  LEFT JOIN wholes AS w
    ON w.side = r.side
    AND w.step = r.step
    AND w.name = e.name
    AND w.core IS NOT DISTINCT FROM e.core
    AND w.mapped = e.mapped
  GROUP BY r.side, r.step, e.name, e.core, e.mapped
), centred AS (
  SELECT
    *,
    quantile_disc(dur, 0.5)
      OVER (PARTITION BY side, name, core, mapped) AS median
  FROM measured
), sides AS (
  SELECT
    side,
    name,
    core,
    mapped,
    count(*) AS steps,
    sum(count)::BIGINT AS count,
    sum(count) / sum(ranks) AS calls,
    sum(total)::BIGINT AS total,
    any_value(median)::BIGINT AS dur,
    quantile_cont(abs(dur - median)::BIGINT, 0.5)::BIGINT AS spread
  FROM centred
  GROUP BY side, name, core, mapped
), paired AS (
  SELECT
    e.name,
    e.core,
    CASE
      WHEN e.mapped THEN 'mapped'
      WHEN coalesce(b.count, 0) = 0 THEN 'new'
      WHEN coalesce(t.count, 0) = 0 THEN 'gone'
      ELSE 'both'
    END AS presence,
    e.parts,
    coalesce(b.steps, 0) AS base_steps,
    coalesce(t.steps, 0) AS test_steps,
    coalesce(b.count, 0) AS base_count,
    coalesce(t.count, 0) AS test_count,
    b.calls AS base_calls,
    t.calls AS test_calls,
    b.total AS base_total,
    t.total AS test_total,
    b.total // nullif(b.count, 0) AS base_avg_ns,
    t.total // nullif(t.count, 0) AS test_avg_ns,
    b.dur AS base_dur,
    t.dur AS test_dur,
    t.dur - b.dur AS difference,
    CASE WHEN b.steps > 1 THEN b.spread END AS base_spread_ns,
    CASE WHEN t.steps > 1 THEN t.spread END AS test_spread_ns
  FROM every AS e
  LEFT JOIN sides AS b
    ON b.side = 'base'
    AND b.name = e.name
    AND b.core IS NOT DISTINCT FROM e.core
    AND b.mapped = e.mapped
  LEFT JOIN sides AS t
    ON t.side = 'test'
    AND t.name = e.name
    AND t.core IS NOT DISTINCT FROM e.core
    AND t.mapped = e.mapped
), noisy AS (
  SELECT
    *,
    noise_band(
      base_spread_ns, base_steps, test_spread_ns, test_steps,
      greatest(
        base_dur // 100,
        (
          SELECT quantile_disc(dur, 0.5)
          FROM picked
          WHERE side = 'base'
        ) // 10000
      )
    ) AS noise_ns
  FROM paired
)
SELECT
  name,
  core,
  presence,
  parts,
  base_steps,
  test_steps,
  base_count,
  test_count,
  base_calls,
  test_calls,
  base_total,
  test_total,
  base_avg_ns,
  test_avg_ns,
  base_dur,
  test_dur,
  difference,
  difference / nullif(base_dur, 0) AS change_share,
  base_spread_ns,
  test_spread_ns,
  noise_ns,
  verdict(difference, noise_ns) AS verdict
FROM noisy
ORDER BY
  abs(difference) DESC NULLS LAST,
  greatest(base_total, test_total) DESC,
  name,
  core,
  presence
LIMIT $limit
