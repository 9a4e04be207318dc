-- title:   Steps with many more calls
-- about:   Operator types, and all kernels of a step (type NULL), that a step
--          calls least_times as often as the rank's median step or more, and
--          types it calls least_tiny times or more, each shorter than a launch;
--          most additional calls first. added_ns is their time less that of
--          the median step; longer_ns the same of the step's period. Steps that
--          are warm-up are compared, but are no part of the median.
-- param:   rank INTEGER = NULL        only this rank
-- param:   step INTEGER = NULL        only this step
-- param:   least_times DOUBLE = 2     calls over those of the median step
-- param:   least_added BIGINT = 8     additional calls from which it counts
-- param:   least_tiny BIGINT = 1000   tiny calls from which they count anyway
-- param:   limit BIGINT = NULL        so many rows
-- columns: rank INTEGER, step INTEGER, type VARCHAR, core VARCHAR,
--          count BIGINT, median_count BIGINT, added BIGINT, times DOUBLE,
--          total BIGINT, added_ns BIGINT, avg BIGINT, launch_ns BIGINT,
--          period BIGINT, longer_ns BIGINT
-- needs:   operator_total, judged_step, launch_pace
WITH steps AS (
  SELECT rank, step, dur, judged
  FROM judged_step
  WHERE $rank IS NULL OR rank = $rank
), counted AS (
  SELECT
    o.rank,
    o.step,
    coalesce(o.type, o.name) AS type,
    o.core,
    sum(o.count)::BIGINT AS count,
    sum(o.total)::BIGINT AS total
  FROM operator_total AS o
  WHERE o.step IS NOT NULL
    AND ($rank IS NULL OR o.rank = $rank)
    AND NOT communicates(o.core)
  GROUP BY o.rank, o.step, coalesce(o.type, o.name), o.core
  UNION ALL
  SELECT rank, step, NULL, NULL, sum(count)::BIGINT, sum(total)::BIGINT
  FROM operator_total
  WHERE step IS NOT NULL
    AND ($rank IS NULL OR rank = $rank)
    AND NOT communicates(core)
  GROUP BY rank, step
), filled AS (
  -- A step that does not call it at all counts as one with no call.
  SELECT
    t.rank,
    s.step,
    s.dur AS period,
    s.judged,
    t.type,
    t.core,
    coalesce(c.count, 0) AS count,
    coalesce(c.total, 0) AS total
  FROM (SELECT DISTINCT rank, type, core FROM counted) AS t
  JOIN steps AS s ON s.rank = t.rank
  LEFT JOIN counted AS c
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
), compared AS (
  SELECT
    f.rank,
    f.step,
    f.type,
    f.core,
    f.count,
    u.count AS median_count,
    f.count - u.count AS added,
    f.count / nullif(u.count, 0) AS times,
    f.total,
    f.total - u.total AS added_ns,
    f.total // nullif(f.count, 0) AS avg,
    f.period,
    f.period - u.period AS longer_ns
  FROM filled AS f
  JOIN usual AS u
    ON u.rank = f.rank
    AND u.type IS NOT DISTINCT FROM f.type
    AND u.core IS NOT DISTINCT FROM f.core
  WHERE ($step IS NULL OR f.step = $step)
    AND (
      (f.count >= $least_times * u.count
        AND f.count - u.count >= $least_added)
      OR (f.type IS NOT NULL AND f.count >= $least_tiny)
    )
)
SELECT
  c.rank,
  c.step,
  c.type,
  c.core,
  c.count,
  c.median_count,
  c.added,
  c.times,
  c.total,
  c.added_ns,
  c.avg,
  p.launch_ns,
  c.period,
  c.longer_ns
FROM compared AS c
LEFT JOIN (
  -- Where nothing is to be told, no launch has to be looked at.
  FROM launch_pace WHERE EXISTS (FROM compared)
) AS p ON p.rank = c.rank
WHERE (c.count >= $least_times * c.median_count AND c.added >= $least_added)
  OR c.avg < p.launch_ns
ORDER BY c.added DESC, c.count DESC, c.rank, c.step, c.type, c.core
LIMIT $limit
