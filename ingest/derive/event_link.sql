-- table: event_link
-- about: Each wait that a record ended, with the task that ended last before the
--        record on its stream, and with the wait by which that stream was itself
--        held: the last one before the record, if it took more of the time than
--        what the stream did after it. A wait whose record had come takes some
--        20 ns, so that less than 1 us held nothing.
WITH task AS (
  SELECT p.track_id, p.ts, p.slice_id
  FROM placed AS p
  JOIN pattern AS m USING (pattern)
  WHERE p.track_id IN (SELECT track_id FROM event_pair)
    AND (
      p.class IN ('compute', 'mc2', 'communication', 'copy')
      OR (p.class = 'wait' AND m.task = 'NOTIFY_WAIT')
    )
), holding AS (
  SELECT slice_id, track_id, ts, end_ts
  FROM event_mark
  WHERE waits AND kind = 'event' AND end_ts - ts >= 1000
)
SELECT
  e.slice_id,
  e.record_slice_id,
  t.slice_id AS producer_slice_id,
  CASE
    WHEN least(h.end_ts, e.record_ts) - greatest(h.ts, w.ts)
      > greatest(e.record_ts - h.end_ts, 0)
    THEN h.slice_id
  END AS held_slice_id
FROM event_pair AS e
JOIN event_mark AS w USING (slice_id)
ASOF LEFT JOIN task AS t
  ON e.track_id = t.track_id AND e.record_ts >= t.ts
ASOF LEFT JOIN holding AS h
  ON e.track_id = h.track_id AND e.record_ts > h.ts
