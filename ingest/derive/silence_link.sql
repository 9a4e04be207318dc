-- table: silence_link
-- about: How the task that ended each silence was launched, where that is known.
SELECT
  s.silence, k.host_slice_id, k.enqueue_slice_id, k.instant, k.launch_end, k.inferred
FROM silence_task AS s
JOIN launch_link AS k ON s.launched_slice_id = k.slice_id
