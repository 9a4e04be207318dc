-- table: queue
-- about: What was taken out of the task queue, with the Enqueue that put it there,
--        by their arrow.
SELECT dst_slice_id AS slice_id, src_slice_id AS enqueue_slice_id
FROM flow
WHERE category = 'async_task_queue'
  AND src_slice_id IS NOT NULL
  AND dst_slice_id IS NOT NULL
