-- table: correlation
-- about: Which call launched a task, by the number that kineto gives both in their
--        args, for a file that lost its arrows.
WITH unpointed AS (
  SELECT p.slice_id, p.ts, p.arg_set_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'stream'
    AND p.connection_id IS NULL
    AND NOT EXISTS (
      FROM flow
      WHERE category IN ('HostToDevice', 'acl_to_npu', 'ac2g', 'async_npu')
        AND src_ts IS NOT NULL AND dst_slice_id IS NOT NULL
    )
), runtime AS (
  SELECT m.pattern
  FROM pattern AS m
  JOIN word AS c ON m.category_code = c.code
  WHERE lower(c.text) IN ('cuda_runtime', 'cuda_driver', 'runtime', 'driver')
    AND EXISTS (FROM unpointed)
), calls AS (
  SELECT p.slice_id, p.track_id, p.ts, p.arg_set_id
  FROM placed AS p
  SEMI JOIN runtime USING (pattern)
), numbered AS (
  SELECT arg_set_id, json_extract_string(args, '$.correlation') AS number
  FROM slice_arg
  WHERE arg_set_id IN (
    SELECT arg_set_id FROM unpointed WHERE EXISTS (FROM calls)
    UNION ALL
    SELECT arg_set_id FROM calls
  )
    AND json_valid(args)
)
SELECT
  t.slice_id,
  arg_max(c.slice_id, c.ts) AS host_slice_id,
  arg_max(c.track_id, c.ts) AS host_track_id,
  max(c.ts) AS launch_ts
FROM unpointed AS t
JOIN numbered AS n ON t.arg_set_id = n.arg_set_id
JOIN numbered AS m ON n.number = m.number
JOIN calls AS c ON m.arg_set_id = c.arg_set_id AND c.ts <= t.ts
WHERE n.number IS NOT NULL
GROUP BY t.slice_id
