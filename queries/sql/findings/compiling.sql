-- title:   Compiling and the path without it
-- about:   Idle time of the judged steps while the host is in
--          aclopCompileAndExecute (aclop_path): the older way to call an
--          operator. Nothing is compiled there unless an opCompile in it is
--          longer than least_dur: compiled_ns is those.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_dur BIGINT      an opCompile from this length on, ns
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, calls_ns BIGINT, compiled_ns BIGINT,
--          least_dur_ns BIGINT
-- needs:   stall, judged_step, step, slice, track
WITH call AS (
  SELECT s.rank, s.ts, s.end_ts, s.dur, s.name, s.slice_id
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind IN ('cann', 'host')
    AND s.class = 'host'
    -- Also aclopCompileAndExecute; a pattern would take a hundred times longer.
    AND contains(s.name, 'opCompile')
), counted AS (
  SELECT
    c.rank,
    count(*) FILTER (contains(c.name, 'aclopCompileAndExecute')) AS count,
    sum(c.dur) FILTER (contains(c.name, 'aclopCompileAndExecute')) AS calls,
    sum(c.dur) FILTER (
      NOT contains(c.name, 'aclopCompile') AND c.dur > $least_dur
    ) AS compiled
  FROM call AS c
  -- By the time of the steps, as idle time is: where the host runs ahead, or
  -- its queue is long, the marker of a step tells nothing of the calls for it.
  SEMI JOIN judged($rank, $step) AS j
    ON j.rank = c.rank AND c.ts < j.ts + j.dur AND c.end_ts > j.ts
  GROUP BY c.rank
), hidden AS (
  SELECT
    s.rank,
    s.device_id,
    s.step,
    greatest(s.ts, c.ts) AS ts,
    least(s.ts + s.dur, c.end_ts) - greatest(s.ts, c.ts) AS dur,
    c.slice_id,
    s.steps,
    s.period
  FROM judged_stalls($rank, $step) AS s
  JOIN call AS c
    ON c.rank = s.rank AND c.ts < s.ts + s.dur AND c.end_ts > s.ts
  WHERE s.state = 'idle'
    AND contains(c.name, 'aclopCompileAndExecute')
)
SELECT
  'aclop_path' AS rule,
  NULL::VARCHAR AS variant,
  h.rank,
  h.device_id,
  arg_max(h.step, (h.dur, -h.ts, -h.slice_id)) AS step,
  any_value(h.steps) AS steps,
  sum(h.dur)::BIGINT AS ns,
  any_value(h.period) AS period,
  arg_max(h.ts, (h.dur, -h.ts, -h.slice_id)) AS ts,
  max(h.dur) AS dur,
  array_to_string(
    arg_max(h.slice_id, (h.dur, -h.ts, -h.slice_id), 5), ' '
  ) AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  any_value(n.count) AS count,
  any_value(n.calls)::BIGINT AS calls_ns,
  coalesce(any_value(n.compiled), 0)::BIGINT AS compiled_ns,
  $least_dur::BIGINT AS least_dur_ns
FROM hidden AS h
JOIN counted AS n ON n.rank = h.rank
GROUP BY h.rank, h.device_id
ORDER BY h.rank, h.device_id
