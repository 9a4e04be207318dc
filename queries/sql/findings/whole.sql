-- title:   The judged steps as a whole
-- about:   What a rank without findings is told: its judged steps, and what
--          of them is computing.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          computing_ns BIGINT, idle_ns BIGINT, waiting_ns BIGINT,
--          moving_ns BIGINT, computing_share DOUBLE
-- needs:   ledger, judged_step, step
WITH spent AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period,
    min(l.ts) AS ts,
    arg_min(l.step, l.ts) AS step,
    arg_min(l.step_dur, l.ts) AS dur,
    coalesce(sum(l.dur) FILTER (l.state IN ('computing', 'mc2', 'aicpu')), 0)
      AS computing,
    coalesce(sum(l.dur) FILTER (l.state = 'idle'), 0) AS idle,
    coalesce(sum(l.dur) FILTER (starts_with(l.state, 'waiting')), 0) AS waiting,
    sum(l.dur) AS total
  FROM judged_ledger($rank, $step) AS l
  GROUP BY l.rank, l.device_id
)
SELECT
  'nothing' AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  step,
  steps,
  0::BIGINT AS ns,
  period,
  ts,
  dur,
  NULL::VARCHAR AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  computing::BIGINT AS computing_ns,
  idle::BIGINT AS idle_ns,
  waiting::BIGINT AS waiting_ns,
  (total - computing - idle - waiting)::BIGINT AS moving_ns,
  computing / period AS computing_share
FROM spent
ORDER BY rank, device_id
