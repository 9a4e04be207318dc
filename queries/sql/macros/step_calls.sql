-- How often each step calls each operator type, and all kernels (type NULL),
-- beside the rank's median step of those that are judged, where a step that
-- does not call a type counts as one with no call. added is over the calls of
-- the median step, added_ns over its time, longer_ns over its period. Types
-- that no step can call least_added times more than the median step are left
-- out, unless one calls them least_tiny times.
CREATE MACRO step_calls(only_rank, least_added, least_tiny) AS TABLE
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
), placed AS MATERIALIZED (
  SELECT
    c.rank,
    c.step,
    s.dur AS period,
    s.judged,
    c.type,
    c.core,
    c.count,
    coalesce(c.total, 0) AS total
  FROM summed AS c
  JOIN judged_step AS s ON s.rank = c.rank AND s.step = c.step
), middle AS (
  SELECT
    rank,
    count(*) AS every,
    count(*) FILTER (judged) AS steps,
    quantile_disc(dur, 0.5) FILTER (judged) AS period
  FROM judged_step
  GROUP BY rank
), varied AS (
  -- Nearly all types are called as often in every step.
  SELECT p.rank, p.type, p.core
  FROM placed AS p
  JOIN middle AS m ON m.rank = p.rank
  WHERE m.steps > 0
  GROUP BY p.rank, p.type, p.core
  HAVING max(p.count)
    - CASE WHEN count(*) < any_value(m.every) THEN 0 ELSE min(p.count) END
      >= least_added
    OR max(p.count) >= least_tiny
), kept AS MATERIALIZED (
  SELECT p.*
  FROM placed AS p
  SEMI JOIN varied AS v
    ON v.rank = p.rank
    AND v.type IS NOT DISTINCT FROM p.type
    AND v.core IS NOT DISTINCT FROM p.core
), called AS (
  SELECT
    rank,
    type,
    core,
    count(*) AS steps,
    list(count ORDER BY count) AS counts,
    list(total ORDER BY total) AS totals
  FROM kept
  WHERE judged
  GROUP BY rank, type, core
)
SELECT
  k.rank,
  k.step,
  k.type,
  k.core,
  k.count,
  -- The steps that do not call it come before all that do.
  coalesce(
    c.counts[(m.steps + 1) // 2 - m.steps + c.steps], 0
  ) AS median_count,
  k.count - median_count AS added,
  k.total,
  k.total - coalesce(
    c.totals[(m.steps + 1) // 2 - m.steps + c.steps], 0
  ) AS added_ns,
  k.period,
  k.period - m.period AS longer_ns
FROM kept AS k
JOIN middle AS m ON m.rank = k.rank
LEFT JOIN called AS c
  ON c.rank = k.rank
  AND c.type IS NOT DISTINCT FROM k.type
  AND c.core IS NOT DISTINCT FROM k.core
