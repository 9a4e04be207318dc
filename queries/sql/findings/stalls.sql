-- title:   Idle time by cause
-- about:   Idle time of the judged steps by its cause, each cause a rule of
--          its own. evidence is of the longest stalls; where the cause has no
--          slice of its own it is the task that ended the silence. own_ns is
--          how long the slice of the longest stall itself took: a saving is
--          ns, never that.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, longest_ns BIGINT, evidence_name VARCHAR,
--          own_ns BIGINT, line VARCHAR
-- needs:   stall, judged_step, step, slice, profile,
--          collection_switch
WITH piece AS (
  SELECT s.*
  FROM judged_stalls($rank, $step) AS s
  WHERE s.state = 'idle'
    -- The first two are judged together, by the stage of the host; time without
    -- a request is nobody's fault.
    AND s.cause NOT IN ('host_framework', 'host_launch', 'no_work')
), total AS (
  SELECT
    cause,
    rank,
    device_id,
    any_value(steps) AS steps,
    any_value(period) AS period,
    sum(dur)::BIGINT AS ns,
    count(*) AS count,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'shown': shown_slice_id,
        'evidence': evidence_slice_id, 'line': line_slice_id},
      by_length(dur, ts)
    ) AS longest,
    arg_max(shown_slice_id, by_length(dur, ts), 5)
      FILTER (shown_slice_id IS NOT NULL) AS evidence,
    bool_or(inferred) AS inferred
  FROM piece
  GROUP BY cause, rank, device_id
), named AS (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, name, dur
  FROM slice
  WHERE slice_id IN (
    SELECT unnest([longest.shown, longest.line]) FROM total
  )
), silent AS (
  -- Where collections of garbage were not recorded, they may be where a thread
  -- has no slice, and nowhere else.
  SELECT t.*
  FROM total AS t
  JOIN profile AS p ON p.rank = t.rank
  WHERE t.cause = 'no_record'
    AND p.producer = 'torch_npu'
    AND p.rank NOT IN (
      SELECT rank
      FROM collection_switch
      WHERE name = 'gc_detect_threshold'
        AND is_on
    )
)
SELECT
  CASE t.cause
    WHEN 'profiler' THEN 'profiler_spacing'
    WHEN 'unknown' THEN 'unknown_idle'
    ELSE t.cause
  END AS rule,
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
  CASE t.cause
    WHEN 'no_record' THEN 'threads'
    WHEN 'unknown' THEN 'launches'
  END AS missing,
  t.count,
  t.longest.dur AS longest_ns,
  e.name AS evidence_name,
  CASE WHEN t.longest.evidence IS NOT NULL THEN e.dur END AS own_ns,
  l.name AS line
FROM total AS t
LEFT JOIN named AS e ON e.slice_id = t.longest.shown
LEFT JOIN named AS l ON l.slice_id = t.longest.line
UNION ALL
SELECT
  'gc', 'untold', rank, device_id, longest.step, steps, ns, period, longest.ts,
  longest.dur, NULL, TRUE, 'gc', count, longest.dur, NULL, NULL, NULL
FROM silent
ORDER BY ALL
