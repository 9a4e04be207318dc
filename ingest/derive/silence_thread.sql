-- table: silence_thread
-- about: The threads that asked for the task that ended each silence and launched it.
WITH launched AS (
  SELECT l.silence, t.thread
  FROM silence_link AS l
  JOIN placed AS p ON l.host_slice_id = p.slice_id
  JOIN host_thread AS t USING (track_id)
), enqueued AS (
  SELECT l.silence, t.thread
  FROM silence_link AS l
  JOIN placed AS p ON l.enqueue_slice_id = p.slice_id
  JOIN host_thread AS t USING (track_id)
)
SELECT silence, h.thread AS launching, e.thread AS enqueuing
FROM launched AS h
FULL JOIN enqueued AS e USING (silence)
