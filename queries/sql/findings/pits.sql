-- title:   Pits that come back
-- about:   Idle stretches of at least least_share_of_step of a mean step that
--          come back in equal time: at least least_count of one cause before
--          the same task, further apart than half as long again as a step,
--          with intervals that spread by no more than most_spread of their
--          mean. interval_ns is that mean.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_share_of_step DOUBLE  of a step, from which a stretch is a pit
-- param:   least_count BIGINT    as many make a period
-- param:   most_spread DOUBLE     deviation of intervals over their mean
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, interval_ns BIGINT, mean_ns BIGINT, cause VARCHAR,
--          evidence_name VARCHAR
-- needs:   stall, judged_step, step, slice
WITH long AS (
  SELECT s.*
  FROM judged_stalls($rank, $step) AS s
  WHERE s.state = 'idle'
    AND s.dur >= $least_share_of_step * (s.period // s.steps)
), named AS (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, name
  FROM slice
  WHERE slice_id IN (SELECT unnest(list(DISTINCT shown_slice_id)) FROM long)
), pit AS (
  SELECT
    l.*,
    e.name AS evidence_name,
    l.ts - lag(l.ts) OVER (
      PARTITION BY l.rank, l.device_id, l.cause, e.name ORDER BY l.ts
    ) AS interval
  FROM long AS l
  LEFT JOIN named AS e ON e.slice_id = l.shown_slice_id
)
SELECT
  'pits' AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  arg_max(step, by_length(dur, ts)) AS step,
  any_value(steps) AS steps,
  sum(dur)::BIGINT AS ns,
  any_value(period) AS period,
  arg_max(ts, by_length(dur, ts)) AS ts,
  max(dur) AS dur,
  array_to_string(
    arg_max(shown_slice_id, by_length(dur, ts), 5)
      FILTER (shown_slice_id IS NOT NULL),
    ' '
  ) AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  count(*) AS count,
  (sum(interval) // count(interval))::BIGINT AS interval_ns,
  (sum(dur) // count(*))::BIGINT AS mean_ns,
  cause,
  evidence_name
FROM pit
GROUP BY rank, device_id, cause, evidence_name
HAVING count(*) >= $least_count
  AND stddev_pop(interval) <= $most_spread * avg(interval)
  AND avg(interval) > 1.5 * any_value(period // steps)
ORDER BY rank, device_id, ns DESC, cause, evidence_name
