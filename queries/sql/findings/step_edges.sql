-- title:   Idle time around the tasks of a step
-- about:   Idle time of the judged steps before the first device task of a
--          period (lead_in) and after the last one (tail).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, longest_ns BIGINT, cause VARCHAR, cause_ns BIGINT
-- needs:   stall, judged_step, step
WITH piece AS (
  SELECT s.*
  FROM judged_stalls($rank, $step) AS s
  JOIN step AS p ON p.rank = s.rank AND p.step = s.step
  WHERE s.state = 'idle'
    AND s.place IN ('lead_in', 'tail')
    -- What a server does between two iterations is told by a rule of its own.
    AND (p.kind IN ('prefill', 'decode', 'mixed')) IS NOT TRUE
), edge AS (
  SELECT
    s.place,
    s.rank,
    s.device_id,
    s.step,
    any_value(s.steps) AS steps,
    any_value(s.period) AS period,
    min(s.ts) AS ts,
    sum(s.dur)::BIGINT AS dur,
    bool_or(s.inferred) AS inferred
  FROM piece AS s
  GROUP BY s.place, s.rank, s.device_id, s.step
), total AS (
  SELECT
    place,
    rank,
    device_id,
    any_value(steps) AS steps,
    any_value(period) AS period,
    sum(dur)::BIGINT AS ns,
    count(*) AS count,
    arg_max({'step': step, 'ts': ts, 'dur': dur}, by_length(dur, ts))
      AS longest,
    bool_or(inferred) AS inferred
  FROM edge
  GROUP BY place, rank, device_id
), caused AS (
  SELECT
    s.place,
    s.rank,
    s.device_id,
    s.cause,
    sum(s.dur)::BIGINT AS ns,
    arg_max(s.shown_slice_id, by_length(s.dur, s.ts)) AS shown
  FROM piece AS s
  GROUP BY s.place, s.rank, s.device_id, s.cause
), main AS (
  SELECT
    place,
    rank,
    device_id,
    arg_max(cause, (ns, cause)) AS cause,
    max(ns) AS cause_ns,
    array_to_string(
      list(shown ORDER BY ns DESC, cause) FILTER (shown IS NOT NULL), ' '
    ) AS evidence
  FROM caused
  GROUP BY place, rank, device_id
)
SELECT
  t.place AS rule,
  CASE WHEN m.cause IN ('no_record', 'unknown') THEN 'untold' END AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  m.evidence,
  t.inferred,
  NULL::VARCHAR AS missing,
  t.count,
  t.longest.dur AS longest_ns,
  m.cause,
  m.cause_ns
FROM total AS t
JOIN main AS m
  ON m.place = t.place
  AND m.rank = t.rank
  AND m.device_id IS NOT DISTINCT FROM t.device_id
ORDER BY t.rank, t.device_id, rule
