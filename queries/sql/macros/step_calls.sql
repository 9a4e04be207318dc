-- How often each step calls each operator type, and all kernels (type NULL),
-- beside the rank's median step of those that are judged. A step that does not
-- call a type at all counts as one with no call. added is over the calls of the
-- median step, added_ns over its time, longer_ns over its period.
CREATE MACRO step_calls(only_rank) AS TABLE
WITH counted AS (
  SELECT
    rank,
    step,
    coalesce(type, name) AS type,
    core,
    sum(count)::BIGINT AS count,
    sum(total)::BIGINT AS total
  FROM operator_total
  WHERE step IS NOT NULL
    AND (only_rank IS NULL OR rank = only_rank)
    AND NOT communicates(core)
  GROUP BY rank, step, coalesce(type, name), core
), summed AS (
  FROM counted
  UNION ALL
  SELECT rank, step, NULL, NULL, sum(count)::BIGINT, sum(total)::BIGINT
  FROM counted
  GROUP BY rank, step
), filled AS (
  SELECT
    t.rank,
    s.step,
    s.dur AS period,
    s.judged,
    t.type,
    t.core,
    coalesce(c.count, 0) AS count,
    coalesce(c.total, 0) AS total
  FROM (SELECT DISTINCT rank, type, core FROM summed) AS t
  JOIN judged_step AS s ON s.rank = t.rank
  LEFT JOIN summed AS c
    ON c.rank = t.rank AND c.step = s.step
    AND c.type IS NOT DISTINCT FROM t.type
    AND c.core IS NOT DISTINCT FROM t.core
), usual AS (
  SELECT
    rank,
    type,
    core,
    quantile_disc(count, 0.5) AS count,
    quantile_disc(total, 0.5) AS total,
    quantile_disc(period, 0.5) AS period
  FROM filled
  WHERE judged
  GROUP BY rank, type, core
)
SELECT
  f.rank,
  f.step,
  f.type,
  f.core,
  f.count,
  u.count AS median_count,
  f.count - u.count AS added,
  f.total,
  f.total - u.total AS added_ns,
  f.period,
  f.period - u.period AS longer_ns
FROM filled AS f
JOIN usual AS u
  ON u.rank = f.rank
  AND u.type IS NOT DISTINCT FROM f.type
  AND u.core IS NOT DISTINCT FROM f.core
