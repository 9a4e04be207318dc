-- table: kernel_lane
-- about: The lanes that a kernel table shows where no timeline was collected.
SELECT DISTINCT
  device_id,
  CASE WHEN upper(core) IN ('HCCL', 'COMMUNICATION') THEN NULL
  ELSE coalesce(stream_id, -1) END AS stream_id
FROM kernel_row
ORDER BY device_id, stream_id
