-- table: launch_link
-- about: Which host slice launched a device slice. First the launch arrow, then
--        the innermost host call with the same connection id (outer calls of
--        the same id end long after the task began), then the framework's own
--        arrow, and where nothing of this is there the order of the launches.
--        "instant" is when the host decided on it: its enqueue, else its
--        launch.
WITH device AS (
  SELECT p.slice_id, p.ts, p.ts + p.dur AS end_ts, p.connection_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind IN ('stream', 'group')
), arrow AS (
  SELECT
    dst_slice_id AS slice_id,
    src_slice_id AS host_slice_id,
    src_track_id AS host_track_id,
    src_ts AS launch_ts,
    category <> 'async_npu' AS launches
  FROM flow
  WHERE category IN ('HostToDevice', 'acl_to_npu', 'ac2g', 'async_npu')
    AND src_ts IS NOT NULL
    AND dst_slice_id IS NOT NULL
), several AS (
  SELECT slice_id FROM arrow GROUP BY slice_id HAVING count(*) > 1
), best AS (
  -- Few slices have several arrows: only of those one has to be chosen.
  FROM arrow ANTI JOIN several USING (slice_id)
  UNION ALL
  SELECT
    slice_id,
    arg_max_null(host_slice_id, (launches, launch_ts)),
    arg_max(host_track_id, (launches, launch_ts)),
    arg_max(launch_ts, (launches, launch_ts)),
    bool_or(launches)
  FROM arrow SEMI JOIN several USING (slice_id)
  GROUP BY slice_id
), pointed AS (
  SELECT d.*, b.* EXCLUDE (slice_id)
  FROM device AS d
  LEFT JOIN best AS b USING (slice_id)
), asking AS (
  SELECT slice_id, ts, connection_id
  FROM pointed
  WHERE connection_id IS NOT NULL AND NOT coalesce(launches, false)
), calls AS (
  SELECT p.slice_id, p.track_id, p.ts, p.connection_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  SEMI JOIN asking USING (connection_id)
  WHERE l.kind = 'cann'
), connection AS (
  SELECT
    a.slice_id,
    arg_max(h.slice_id, (h.ts, n.depth)) AS host_slice_id,
    arg_max(h.track_id, (h.ts, n.depth)) AS host_track_id,
    max(h.ts) AS launch_ts
  FROM asking AS a
  JOIN calls AS h ON a.connection_id = h.connection_id AND h.ts <= a.ts
  JOIN nesting AS n ON h.slice_id = n.slice_id
  GROUP BY a.slice_id
), launched AS (
  SELECT
    p.slice_id,
    p.ts,
    p.end_ts,
    CASE WHEN c.slice_id IS NULL THEN p.host_slice_id ELSE c.host_slice_id END
      AS host_slice_id,
    coalesce(c.host_track_id, p.host_track_id) AS host_track_id,
    coalesce(c.launch_ts, p.launch_ts) AS launch_ts,
    CASE
      WHEN c.slice_id IS NOT NULL THEN 'connection'
      WHEN p.launches THEN 'flow'
      ELSE 'torch_flow'
    END::ENUM ('flow', 'connection', 'torch_flow', 'order') AS method
  FROM pointed AS p
  LEFT JOIN connection AS c USING (slice_id)
  WHERE c.slice_id IS NOT NULL OR p.launch_ts IS NOT NULL
  UNION ALL
  SELECT
    d.slice_id, d.ts, d.end_ts, c.host_slice_id, c.host_track_id, c.launch_ts, 'connection'
  FROM correlation AS c
  JOIN device AS d USING (slice_id)
  UNION ALL
  SELECT d.slice_id, d.ts, d.end_ts, o.host_slice_id, o.host_track_id, o.launch_ts, 'order'
  FROM order_link AS o
  JOIN device AS d USING (slice_id)
), dequeue AS (
  SELECT t.thread, p.ts, p.ts + p.dur AS end_ts, q.enqueue_slice_id
  FROM queue AS q
  JOIN placed AS p USING (slice_id)
  JOIN host_thread AS t USING (track_id)
  WHERE t.kind = 'python'
), enqueued AS (
  SELECT
    a.slice_id,
    e.slice_id AS enqueue_slice_id,
    e.ts
  FROM (
    SELECT l.slice_id, l.launch_ts, t.thread
    FROM launched AS l
    JOIN host_thread AS t ON l.host_track_id = t.track_id
    WHERE EXISTS (FROM dequeue)
  ) AS a
  ASOF JOIN dequeue AS q ON a.thread = q.thread AND a.launch_ts >= q.ts
  JOIN placed AS e ON q.enqueue_slice_id = e.slice_id
  WHERE q.end_ts >= a.launch_ts
)
SELECT
  l.slice_id,
  $rank::INTEGER AS rank,
  l.host_slice_id,
  e.enqueue_slice_id,
  l.launch_ts,
  least(coalesce(h.ts + h.dur, l.launch_ts), l.ts) AS launch_end,
  l.method,
  l.method = 'order' AS inferred,
  coalesce(e.ts, l.launch_ts) AS instant,
  l.ts,
  l.end_ts
FROM launched AS l
LEFT JOIN enqueued AS e USING (slice_id)
LEFT JOIN placed AS h ON h.slice_id = l.host_slice_id
ORDER BY l.slice_id
