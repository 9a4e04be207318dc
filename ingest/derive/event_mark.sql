-- table: event_mark
-- about: The tasks of streams that wait for another stream, and those that tell it
--        to go on, each with the instant of its launch. A wait that a plane shows
--        as well is left out: it is part of its collective.
WITH spelled AS (
  -- Writers spell it Notify Wait, NOTIFY_WAIT and NOTIFY_WAIT_SQE; some marks
  -- have the task type of a placeholder and are known by their name.
  SELECT
    m.pattern,
    l.track_id,
    l.device_id,
    m.class = 'wait' AS waits,
    CASE
      WHEN m.class = 'sync' THEN upper(replace(n.text, ' ', '_'))
      WHEN m.task <> '' THEN m.task
      ELSE upper(replace(n.text, ' ', '_'))
    END AS word
  FROM pattern AS m
  JOIN lane AS l USING (lane)
  JOIN word AS n ON m.name_code = n.code
  WHERE l.kind = 'stream' AND m.class IN ('wait', 'sync')
), marks AS (
  SELECT
    pattern,
    track_id,
    device_id,
    waits,
    CASE WHEN starts_with(word, 'NOTIFY_') THEN 'notify' ELSE 'event' END AS kind
  FROM spelled
  WHERE waits OR regexp_matches(word, '^(EVENT|NOTIFY)_RECORD')
), tasks AS (
  SELECT
    p.slice_id, m.track_id, m.device_id, m.waits, m.kind, p.ts,
    p.ts + p.dur AS end_ts, p.stream_id
  FROM placed AS p
  JOIN marks AS m USING (pattern)
  WHERE p.ts >= $ts
), twin AS (
  SELECT p.ts, p.ts + p.dur AS end_ts, p.stream_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'plane' AND p.class = 'wait'
)
SELECT t.* EXCLUDE (stream_id), k.launch_ts
FROM tasks AS t
ANTI JOIN twin AS w
  ON t.waits
  AND t.ts = w.ts
  AND t.end_ts = w.end_ts
  AND coalesce(w.stream_id, t.stream_id) IS NOT DISTINCT FROM t.stream_id
LEFT JOIN launch_link AS k USING (slice_id)
