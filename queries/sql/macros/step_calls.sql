-- How often each step calls each operator type, and all kernels (type NULL),
-- beside the rank's median step of those that are judged, where a step that
-- does not call a type counts as one with no call. added is over the calls of
-- the median step, added_ns over its time, longer_ns over its period. Types
-- that no step calls least_added times more than the median step are left out,
-- unless one calls them least_tiny times.
CREATE MACRO step_calls(only_rank, only_step, least_added, least_tiny) AS TABLE
WITH varied AS MATERIALIZED (
  -- Nearly all types are called as often in every step.
  FROM operator_usual
  WHERE (only_rank IS NULL OR rank = only_rank)
    AND (most - count >= least_added OR most >= least_tiny)
), scoped AS (
  SELECT rank, step, coalesce(type, name) AS type, core, count, total
  FROM operator_total
  WHERE step IS NOT NULL
    AND (only_rank IS NULL OR rank = only_rank)
    AND (only_step IS NULL OR step = only_step)
    AND NOT communicates(core)
), called AS (
  SELECT
    s.rank,
    s.step,
    s.type,
    s.core,
    sum(s.count)::BIGINT AS count,
    coalesce(sum(s.total), 0)::BIGINT AS total
  FROM scoped AS s
  SEMI JOIN varied AS v
    ON v.rank = s.rank AND v.type = s.type
    AND v.core IS NOT DISTINCT FROM s.core
  GROUP BY s.rank, s.step, s.type, s.core
  UNION ALL
  SELECT
    rank,
    step,
    NULL,
    NULL,
    sum(count)::BIGINT,
    coalesce(sum(total), 0)::BIGINT
  FROM scoped
  WHERE rank IN (SELECT rank FROM varied WHERE type IS NULL)
  GROUP BY rank, step
), middle AS (
  SELECT rank, quantile_disc(dur, 0.5) FILTER (judged) AS period
  FROM judged_step
  GROUP BY rank
)
SELECT
  c.rank,
  c.step,
  c.type,
  c.core,
  c.count,
  v.count AS median_count,
  c.count - v.count AS added,
  c.total,
  c.total - v.total AS added_ns,
  s.dur AS period,
  s.dur - m.period AS longer_ns
FROM called AS c
JOIN judged_step AS s ON s.rank = c.rank AND s.step = c.step
JOIN middle AS m ON m.rank = c.rank
JOIN varied AS v
  ON v.rank = c.rank
  AND v.type IS NOT DISTINCT FROM c.type
  AND v.core IS NOT DISTINCT FROM c.core
