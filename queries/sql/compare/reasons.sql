-- title:   Why operators and gaps changed
-- about:   What the change of each operator, and of the gaps of each cause, is
--          made of, in the mean step of a rank; warm-up does not count.
--          calls_ns is that of more or fewer calls, at what one took before;
--          shapes_ns that of calls whose shapes only one run has, as many as
--          both have of such; length_ns that of calls of the same shapes that
--          take longer or shorter. The three sum up to difference, but for
--          what is rounded.
--          why is calls, shapes or length where that is two thirds of all
--          three, else several; call instead of length where shapes were not
--          collected or kept of every call; new, gone, or core where the other
--          run has it on other_core only; same where nothing changed; unknown
--          where a run has no step. mhz is the mean frequency of the cores
--          while it ran.
-- param:   by VARCHAR = 'type' of type|name  name: each kernel of its own
-- param:   prefix VARCHAR = NULL    only operators that begin like this
-- param:   step INTEGER = NULL      only this step of both
-- columns: what VARCHAR, name VARCHAR, core VARCHAR, why VARCHAR,
--          base_calls DOUBLE, test_calls DOUBLE, base_avg_ns BIGINT,
--          test_avg_ns BIGINT, difference BIGINT, calls_ns BIGINT,
--          shapes_ns BIGINT, length_ns BIGINT, base_mhz DOUBLE,
--          test_mhz DOUBLE, other_core VARCHAR
-- needs:   judged_step, operator_total, kernel, gap_total
WITH picked AS (
  FROM picked_steps($step)
), sizes AS (
  SELECT
    count(*) FILTER (side = 'base') AS base_steps,
    count(*) FILTER (side = 'test') AS test_steps
  FROM picked
), totals AS (
  SELECT 'base' AS side, rank, step, name, type, core, count, total
  FROM base.operator_total
  UNION ALL
  SELECT 'test', rank, step, name, type, core, count, total
  FROM test.operator_total
), kernels AS (
  SELECT
    'base' AS side, rank, step, name, type, core, dur, mhz,
    input_shapes, input_dtypes, input_formats
  FROM base.kernel
  UNION ALL
  SELECT
    'test', rank, step, name, type, core, dur, mhz,
    input_shapes, input_dtypes, input_formats
  FROM test.kernel
), wholes AS (
  SELECT
    t.side,
    CASE
      WHEN $by = 'type' THEN coalesce(nullif(t.type, ''), t.name)
      ELSE t.name
    END AS name,
    t.core,
    sum(t.count) AS count,
    sum(t.total) AS total
  FROM totals AS t
  SEMI JOIN picked AS p USING (side, rank, step)
  GROUP BY ALL
), shaped AS (
  SELECT
    k.side,
    CASE
      WHEN $by = 'type' THEN coalesce(nullif(k.type, ''), k.name)
      ELSE k.name
    END AS name,
    k.core,
    (k.input_shapes, k.input_dtypes, k.input_formats) AS shape,
    bool_and(k.input_shapes IS NOT NULL) AS known,
    count(*) AS count,
    sum(k.dur) AS total,
    sum(k.dur * k.mhz) FILTER (k.mhz > 0) AS cycles,
    sum(k.dur) FILTER (k.mhz > 0) AS clocked
  FROM kernels AS k
  SEMI JOIN picked AS p USING (side, rank, step)
  GROUP BY ALL
), known AS (
  -- Shapes are compared where both runs have those of every call.
  SELECT name, core
  FROM shaped
  GROUP BY name, core
  HAVING bool_and(known) AND count(DISTINCT side) = 2
), clocks AS (
  SELECT
    name,
    core,
    sum(cycles) FILTER (side = 'base')
      / nullif(sum(clocked) FILTER (side = 'base'), 0) AS base_mhz,
    sum(cycles) FILTER (side = 'test')
      / nullif(sum(clocked) FILTER (side = 'test'), 0) AS test_mhz
  FROM shaped
  GROUP BY name, core
), lost AS (
  SELECT 'base' AS side, rank, step, kind, cause, count, total
  FROM base.gap_total
  UNION ALL
  SELECT 'test', rank, step, kind, cause, count, total
  FROM test.gap_total
), parts AS (
  SELECT 'operator' AS what, s.side, s.name, s.core, s.shape, s.count, s.total
  FROM shaped AS s
  SEMI JOIN known AS k
    ON k.name = s.name AND k.core IS NOT DISTINCT FROM s.core
  UNION ALL
  SELECT 'operator', w.side, w.name, w.core, NULL, w.count, w.total
  FROM wholes AS w
  ANTI JOIN known AS k
    ON k.name = w.name AND k.core IS NOT DISTINCT FROM w.core
  UNION ALL
  -- Gaps of one cause are alike, as calls of one shape.
  SELECT 'gap', l.side, l.cause, NULL, NULL, l.count, l.total
  FROM lost AS l
  SEMI JOIN picked AS p USING (side, rank, step)
  WHERE l.kind = 'device'
), sided AS (
  SELECT
    p.what,
    p.name,
    p.core,
    p.shape,
    coalesce(sum(p.count) FILTER (p.side = 'base'), 0)
      / nullif(any_value(z.base_steps), 0) AS base_calls,
    coalesce(sum(p.count) FILTER (p.side = 'test'), 0)
      / nullif(any_value(z.test_steps), 0) AS test_calls,
    coalesce(sum(p.total) FILTER (p.side = 'base'), 0)
      / nullif(any_value(z.base_steps), 0) AS base_ns,
    coalesce(sum(p.total) FILTER (p.side = 'test'), 0)
      / nullif(any_value(z.test_steps), 0) AS test_ns
  FROM parts AS p
  CROSS JOIN sizes AS z
  GROUP BY p.what, p.name, p.core, p.shape
), grouped AS (
  -- A shape that both runs have, or all of those that only one has.
  SELECT
    what,
    name,
    core,
    CASE WHEN base_calls > 0 AND test_calls > 0 THEN shape END AS shape,
    base_calls > 0 AND test_calls > 0 AS same,
    sum(base_calls) AS base_calls,
    sum(test_calls) AS test_calls,
    sum(base_ns) AS base_ns,
    sum(test_ns) AS test_ns
  FROM sided
  GROUP BY ALL
), split AS (
  SELECT
    *,
    test_ns - base_ns AS difference,
    -- Calls that both have, at what they take now instead of before.
    CASE
      WHEN base_calls > 0 AND test_calls > 0 THEN
        CASE WHEN same THEN test_calls ELSE least(base_calls, test_calls) END
          * (test_ns / test_calls - base_ns / base_calls)
      ELSE 0
    END AS changed
  FROM grouped
), changes AS (
  SELECT
    s.what,
    s.name,
    s.core,
    s.what = 'gap' OR EXISTS (
      FROM known AS k
      WHERE k.name = s.name AND k.core IS NOT DISTINCT FROM s.core
    ) AS known,
    sum(s.base_calls) AS base_calls,
    sum(s.test_calls) AS test_calls,
    sum(s.base_ns) AS base_ns,
    sum(s.test_ns) AS test_ns,
    sum(s.difference - s.changed) AS calls_ns,
    coalesce(sum(s.changed) FILTER (NOT s.same), 0) AS shapes_ns,
    coalesce(sum(s.changed) FILTER (s.same), 0) AS length_ns
  FROM split AS s
  GROUP BY s.what, s.name, s.core
), judged AS (
  SELECT
    *,
    test_ns - base_ns AS difference,
    abs(calls_ns) + abs(shapes_ns) + abs(length_ns) AS whole,
    string_agg(core, ', ') FILTER (base_calls > 0) OVER named AS base_cores,
    string_agg(core, ', ') FILTER (test_calls > 0) OVER named AS test_cores
  FROM changes
  WINDOW named AS (PARTITION BY what, name)
)
SELECT
  j.what,
  j.name,
  j.core,
  CASE
    WHEN j.base_calls IS NULL OR j.test_calls IS NULL THEN 'unknown'
    WHEN j.base_calls = 0 AND j.base_cores IS NOT NULL
      OR j.test_calls = 0 AND j.test_cores IS NOT NULL THEN 'core'
    WHEN j.base_calls = 0 THEN 'new'
    WHEN j.test_calls = 0 THEN 'gone'
    WHEN j.whole = 0 THEN 'same'
    WHEN 3 * abs(j.calls_ns) >= 2 * j.whole THEN 'calls'
    WHEN 3 * abs(j.shapes_ns) >= 2 * j.whole THEN 'shapes'
    WHEN 3 * abs(j.length_ns) < 2 * j.whole THEN 'several'
    WHEN j.known THEN 'length'
    ELSE 'call'
  END AS why,
  j.base_calls,
  j.test_calls,
  (j.base_ns / nullif(j.base_calls, 0))::BIGINT AS base_avg_ns,
  (j.test_ns / nullif(j.test_calls, 0))::BIGINT AS test_avg_ns,
  j.difference::BIGINT AS difference,
  j.calls_ns::BIGINT AS calls_ns,
  j.shapes_ns::BIGINT AS shapes_ns,
  j.length_ns::BIGINT AS length_ns,
  c.base_mhz,
  c.test_mhz,
  CASE
    WHEN j.base_calls = 0 THEN j.base_cores
    WHEN j.test_calls = 0 THEN j.test_cores
  END AS other_core
FROM judged AS j
LEFT JOIN clocks AS c
  ON j.what = 'operator'
  AND c.name = j.name
  AND c.core IS NOT DISTINCT FROM j.core
WHERE $prefix IS NULL OR j.what = 'gap' OR starts_with(j.name, $prefix)
ORDER BY
  j.what DESC, abs(j.difference) DESC NULLS LAST, j.name, j.core
