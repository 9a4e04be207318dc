-- title:   Operators that may stand for others
-- about:   Operators that only the later run has, each with those that it
--          calls less often by just as many calls in a step: it may be one of
--          them renamed, or several fused. A guess by counts; a map of
--          operators says what is so. Where more than 16 have just as many
--          calls less, counts say nothing. Collectives do not take part.
-- param:   step INTEGER = NULL  only this step of both
-- columns: name VARCHAR, part VARCHAR, calls BIGINT
-- needs:   judged_step, operator_total
WITH picked AS (
  FROM picked_steps($step)
), sizes AS (
  SELECT
    count(*) FILTER (side = 'base') AS base_steps,
    count(*) FILTER (side = 'test') AS test_steps
  FROM picked
), calls AS (
  SELECT
    coalesce(nullif(o.type, ''), o.name) AS name,
    coalesce(sum(o.count) FILTER (side = 'base'), 0) AS base_count,
    coalesce(sum(o.count) FILTER (side = 'test'), 0) AS test_count
  FROM (
    SELECT 'base' AS side, rank, step, name, type, core, count
    FROM base.operator_total
    UNION ALL
    SELECT 'test', rank, step, name, type, core, count
    FROM test.operator_total
  ) AS o
  SEMI JOIN picked AS p USING (side, rank, step)
  WHERE NOT communicates(o.core)
  GROUP BY ALL
), part AS (
  SELECT
    c.name,
    -- Whole calls of all steps, over crosswise as many: nothing is rounded.
    c.base_count * s.test_steps - c.test_count * s.base_steps AS fewer
  FROM calls AS c
  CROSS JOIN sizes AS s
  WHERE c.base_count > 0
  QUALIFY count(*) OVER (PARTITION BY fewer) <= 16
)
SELECT
  n.name,
  p.name AS part,
  (n.test_count // s.test_steps)::BIGINT AS calls
FROM calls AS n
CROSS JOIN sizes AS s
JOIN part AS p
  ON p.fewer = n.test_count * s.base_steps
WHERE n.base_count = 0
  AND n.test_count > 0
ORDER BY n.test_count DESC, n.name, p.name
