-- table: read_slice
-- about: The kernels of a table as slices, for a profile without a timeline.
SELECT
  k.row_number AS seq,
  l.lane::INTEGER AS lane,
  k.ts,
  -- A length that the table does not give is none, not the rest of the trace.
  coalesce(k.dur, 0) AS dur,
  n.code AS name,
  NULL AS category,
  (SELECT code FROM word WHERE text = 'X') AS phase,
  t.code AS task_type,
  k.stream_id,
  k.task_id,
  NULL::BIGINT AS connection_id,
  NULL::BIGINT AS arg_set_id
FROM kernel_row AS k
JOIN word AS n ON k.name = n.text
LEFT JOIN word AS t ON k.core = t.text
JOIN kernel_lane_number AS l
  ON k.device_id IS NOT DISTINCT FROM l.device_id
  AND CASE WHEN upper(k.core) IN ('HCCL', 'COMMUNICATION') THEN NULL
    ELSE coalesce(k.stream_id, -1) END IS NOT DISTINCT FROM l.stream_id
WHERE k.ts IS NOT NULL
