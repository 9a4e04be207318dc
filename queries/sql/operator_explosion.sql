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
-- needs:   operator_total, operator_usual, judged_step, launch_pace
WITH compared AS (
  SELECT
    *,
    count / nullif(median_count, 0) AS times,
    total // nullif(count, 0) AS avg
  FROM step_calls($rank, $step, $least_added, $least_tiny)
  WHERE (count >= $least_times * median_count AND added >= $least_added)
    OR (type IS NOT NULL AND count >= $least_tiny)
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
LEFT JOIN launch_pace AS p ON p.rank = c.rank
WHERE (c.count >= $least_times * c.median_count AND c.added >= $least_added)
  OR c.avg < p.launch_ns
ORDER BY c.added DESC, c.count DESC, c.rank, c.step, c.type, c.core
LIMIT $limit
