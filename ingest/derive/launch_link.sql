-- table: launch_link
-- about: Which host slice launched a device slice. First the launch arrow, then
--        the innermost host call with the same connection id (outer calls of
--        the same id end long after the task began), then the framework's own
--        arrow.
WITH device AS (
  SELECT p.slice_id, p.ts, p.connection_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind IN ('stream', 'group')
), arrow AS (
  SELECT
    d.slice_id,
    arg_max_null(f.src_slice_id, f.src_ts) AS host_slice_id,
    arg_max(f.src_track_id, f.src_ts) AS host_track_id,
    max(f.src_ts) AS launch_ts,
    'flow' AS method
  FROM device AS d
  JOIN flow AS f ON f.dst_slice_id = d.slice_id
  WHERE f.category IN ('HostToDevice', 'acl_to_npu', 'ac2g')
    AND f.src_ts IS NOT NULL
  GROUP BY d.slice_id
), connection AS (
  SELECT
    d.slice_id,
    arg_max(h.slice_id, (h.ts, h.depth)) AS host_slice_id,
    arg_max(h.track_id, (h.ts, h.depth)) AS host_track_id,
    arg_max(h.ts, (h.ts, h.depth)) AS launch_ts,
    'connection' AS method
  FROM device AS d
  JOIN (
    SELECT p.slice_id, p.track_id, p.ts, n.depth, p.connection_id
    FROM placed AS p
    JOIN nesting AS n USING (slice_id)
    JOIN lane AS l USING (track_id)
    WHERE l.kind = 'cann' AND p.connection_id IS NOT NULL
  ) AS h ON d.connection_id = h.connection_id AND h.ts <= d.ts
  ANTI JOIN arrow AS a ON a.slice_id = d.slice_id
  GROUP BY d.slice_id
), framework AS (
  SELECT
    d.slice_id,
    arg_max_null(f.src_slice_id, f.src_ts) AS host_slice_id,
    arg_max(f.src_track_id, f.src_ts) AS host_track_id,
    max(f.src_ts) AS launch_ts,
    'torch_flow' AS method
  FROM device AS d
  JOIN flow AS f ON f.dst_slice_id = d.slice_id
  ANTI JOIN arrow AS a ON a.slice_id = d.slice_id
  ANTI JOIN connection AS c ON c.slice_id = d.slice_id
  WHERE f.category = 'async_npu' AND f.src_ts IS NOT NULL
  GROUP BY d.slice_id
), launched AS (
  FROM arrow UNION ALL FROM connection UNION ALL FROM framework
), dequeue AS (
  SELECT l.tid_text, p.ts, p.ts + p.dur AS end_ts, f.src_slice_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN flow AS f ON f.dst_slice_id = p.slice_id
  WHERE l.kind = 'python'
    AND f.category = 'async_task_queue'
    AND f.src_slice_id IS NOT NULL
), queued AS (
  -- The launching thread has the same number on the CANN and the Python lanes.
  SELECT
    a.*,
    CASE WHEN q.end_ts >= a.launch_ts THEN q.src_slice_id END AS enqueue_slice_id
  FROM (
    SELECT a.*, l.tid_text
    FROM launched AS a
    JOIN lane AS l ON l.track_id = a.host_track_id
  ) AS a
  ASOF LEFT JOIN dequeue AS q
    ON a.tid_text = q.tid_text AND a.launch_ts >= q.ts
)
SELECT
  q.slice_id,
  $rank::INTEGER AS rank,
  q.host_slice_id,
  q.enqueue_slice_id,
  q.launch_ts,
  least(coalesce(h.ts + h.dur, q.launch_ts), d.ts) AS launch_end,
  q.method,
  false AS inferred
FROM queued AS q
JOIN placed AS d ON d.slice_id = q.slice_id
LEFT JOIN placed AS h ON h.slice_id = q.host_slice_id
ORDER BY q.slice_id
