-- table: operator_usual
-- about: What the median step calls of each operator type, and of all (type
--        NULL), collectives left out.
WITH judged_step AS (
  SELECT
    step,
    warmup IS NOT TRUE OR bool_and(warmup IS TRUE) OVER () AS judged
  FROM step
  WHERE dur > 0
), called AS (
  SELECT
    s.step,
    any_value(s.judged) AS judged,
    coalesce(t.type, t.name) AS type,
    t.core,
    sum(t.count) AS count,
    coalesce(sum(t.total), 0) AS total
  FROM operator_total AS t
  JOIN judged_step AS s ON s.step = t.step
  WHERE NOT coalesce(list_contains($collective_cores, upper(t.core)), FALSE)
  GROUP BY s.step, coalesce(t.type, t.name), t.core
), summed AS (
  FROM called
  UNION ALL
  SELECT step, any_value(judged), NULL, NULL, sum(count), sum(total)
  FROM called
  GROUP BY step
), listed AS (
  SELECT
    type,
    core,
    max(count) AS most,
    count(*) FILTER (judged) AS steps,
    list(count ORDER BY count) FILTER (judged) AS counts,
    list(total ORDER BY total) FILTER (judged) AS totals
  FROM summed
  GROUP BY type, core
), placed AS (
  -- The steps that do not call it come before all that do.
  SELECT
    l.*,
    greatest(0, (j.steps + 1) // 2 - j.steps + l.steps) AS middle
  FROM listed AS l
  CROSS JOIN (
    SELECT count(*) FILTER (judged) AS steps FROM judged_step
  ) AS j
)
SELECT
  $rank::INTEGER AS rank,
  type,
  core,
  coalesce(counts[middle], 0)::BIGINT AS count,
  try_cast(coalesce(totals[middle], 0) AS BIGINT) AS total,
  most::BIGINT AS most
FROM placed
ORDER BY type, core
