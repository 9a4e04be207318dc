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
WITH judged AS (
  SELECT
    rank,
    step,
    ts,
    dur,
    count(*) OVER (PARTITION BY rank) AS steps,
    sum(dur) OVER (PARTITION BY rank)::BIGINT AS period
  FROM judged_step
  WHERE ($rank IS NULL OR rank = $rank)
    AND CASE WHEN $step IS NULL THEN judged ELSE step = $step END
), caused AS (
  SELECT
    s.place,
    s.rank,
    s.device_id,
    s.cause,
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
    sum(s.dur)::BIGINT AS ns,
    arg_max({'step': s.step, 'ts': s.ts, 'dur': s.dur}, (s.dur, -s.ts))
      AS longest,
    arg_max(coalesce(s.evidence_slice_id, s.next_slice_id), (s.dur, -s.ts))
      AS shown,
    bool_or(s.inferred) AS inferred
  FROM stall AS s
  JOIN judged AS j ON j.rank = s.rank AND j.step = s.step
  WHERE s.state = 'idle'
    AND s.place IN ('lead_in', 'tail')
  GROUP BY s.place, s.rank, s.device_id, s.cause
), edge AS (
  SELECT s.place, s.rank, s.device_id, count(DISTINCT s.step) AS count
  FROM stall AS s
  JOIN judged AS j ON j.rank = s.rank AND j.step = s.step
  WHERE s.state = 'idle'
    AND s.place IN ('lead_in', 'tail')
  GROUP BY s.place, s.rank, s.device_id
)
SELECT
  c.place AS rule,
  NULL::VARCHAR AS variant,
  c.rank,
  c.device_id,
  arg_max(c.longest.step, (c.longest.dur, -c.longest.ts)) AS step,
  any_value(c.steps) AS steps,
  sum(c.ns)::BIGINT AS ns,
  any_value(c.period) AS period,
  arg_max(c.longest.ts, (c.longest.dur, -c.longest.ts)) AS ts,
  max(c.longest.dur) AS dur,
  array_to_string(
    list(c.shown ORDER BY c.ns DESC) FILTER (c.shown IS NOT NULL), ' '
  ) AS evidence,
  bool_or(c.inferred) AS inferred,
  NULL::VARCHAR AS missing,
  any_value(e.count) AS count,
  max(c.longest.dur) AS longest_ns,
  arg_max(c.cause, (c.ns, c.cause)) AS cause,
  max(c.ns) AS cause_ns
FROM caused AS c
JOIN edge AS e
  ON e.place = c.place
  AND e.rank = c.rank
  AND e.device_id IS NOT DISTINCT FROM c.device_id
GROUP BY c.place, c.rank, c.device_id
ORDER BY c.rank, c.device_id, rule
