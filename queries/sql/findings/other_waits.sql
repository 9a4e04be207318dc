-- title:   Waiting for stages and events
-- about:   Time of the judged steps in which nothing runs and a device waits
--          for data of another pipeline stage (stage_wait), or a stream for
--          another stream (event_wait).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, longest_ns BIGINT, longest_name VARCHAR,
--          cause VARCHAR, depth INTEGER, root_name VARCHAR
-- needs:   stall, judged_step, step, slice, event_wait
WITH total AS (
  SELECT
    s.state,
    s.rank,
    s.device_id,
    any_value(s.steps) AS steps,
    any_value(s.period) AS period,
    sum(s.dur)::BIGINT AS ns,
    count(*) AS count,
    arg_max(
      {'step': s.step, 'ts': s.ts, 'dur': s.dur, 'cause': s.cause,
        'shown': s.shown_slice_id},
      by_length(s.dur, s.ts)
    ) AS longest,
    arg_max(s.shown_slice_id, by_length(s.dur, s.ts), 5)
      FILTER (s.shown_slice_id IS NOT NULL) AS evidence,
    bool_or(s.inferred) AS inferred
  FROM judged_stalls($rank, $step) AS s
  WHERE s.state IN ('waiting_stage', 'waiting_event')
  GROUP BY s.state, s.rank, s.device_id
), rooted AS (
  SELECT *
  FROM event_wait
  WHERE slice_id IN (SELECT longest.shown FROM total)
), named AS (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, name
  FROM slice
  WHERE slice_id IN (
    SELECT longest.shown FROM total
    UNION ALL
    SELECT root_slice_id FROM rooted
  )
)
SELECT
  CASE t.state WHEN 'waiting_stage' THEN 'stage_wait' ELSE 'event_wait' END
    AS rule,
  NULL::VARCHAR AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  array_to_string(t.evidence, ' ') AS evidence,
  t.inferred,
  NULL::VARCHAR AS missing,
  t.count,
  t.longest.dur AS longest_ns,
  e.name AS longest_name,
  t.longest.cause AS cause,
  w.depth,
  r.name AS root_name
FROM total AS t
LEFT JOIN named AS e ON e.slice_id = t.longest.shown
LEFT JOIN rooted AS w ON w.slice_id = t.longest.shown
LEFT JOIN named AS r ON r.slice_id = w.root_slice_id
ORDER BY t.rank, t.device_id, rule
