-- table: queue_call
-- about: Calls that put into the task queue, and those that take out of it.
SELECT
  p.slice_id,
  p.ts,
  p.arg_set_id,
  starts_with(n.text, 'Dequeue') AS takes
FROM placed AS p
JOIN lane AS l USING (track_id)
JOIN word AS n ON p.name = n.code
WHERE l.kind = 'python'
  AND (starts_with(n.text, 'Enqueue') OR starts_with(n.text, 'Dequeue'))
