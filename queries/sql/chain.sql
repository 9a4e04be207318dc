-- title:   From host to kernel
-- about:   How a slice came about: the slice itself (slice), the host call that
--          launched it (launch), what put that into the task queue (enqueue),
--          each with the calls around it (distance 1 is the nearest), and the
--          slices at the other ends of its arrows (flow_from, flow_to).
-- param:   slice_id BIGINT  the slice
-- columns: role VARCHAR, distance BIGINT, slice_id BIGINT, rank INTEGER,
--          track_id BIGINT, lane_kind VARCHAR, thread_name VARCHAR,
--          ts BIGINT, dur BIGINT, name VARCHAR, class VARCHAR,
--          link VARCHAR, inferred BOOLEAN
-- needs:   slice, track, launch_link, flow
WITH RECURSIVE start AS (
  SELECT 'slice' AS role, $slice_id AS slice_id, NULL AS link,
    NULL::BOOLEAN AS inferred
  UNION ALL
  SELECT 'launch', host_slice_id, method, inferred
  FROM launch_link
  WHERE slice_id = $slice_id
    AND host_slice_id IS NOT NULL
  UNION ALL
  SELECT 'enqueue', enqueue_slice_id, 'task queue', inferred
  FROM launch_link
  WHERE slice_id = $slice_id
    AND enqueue_slice_id IS NOT NULL
), placed AS (
  SELECT r.role, r.link, r.inferred, s.*
  FROM slice AS s
  JOIN start AS r ON r.slice_id = s.slice_id
), around AS MATERIALIZED (
  -- All that holds them in time: few, unlike the lane. Then up by parent.
  SELECT DISTINCT s.slice_id, s.parent_id
  FROM slice AS s
  JOIN placed AS p
    ON p.track_id = s.track_id
    AND s.ts <= p.ts
    AND s.end_ts >= p.end_ts
), upward AS (
  SELECT role, link, inferred, 0::BIGINT AS distance, slice_id, parent_id
  FROM placed
  UNION ALL
  SELECT u.role, u.link, u.inferred, u.distance + 1, a.slice_id, a.parent_id
  FROM upward AS u
  JOIN around AS a ON a.slice_id = u.parent_id
), arrow AS (
  SELECT 'flow_from' AS role, src_slice_id AS slice_id, category AS link
  FROM flow
  WHERE dst_slice_id = $slice_id
    AND src_slice_id IS NOT NULL
  UNION
  SELECT 'flow_to', dst_slice_id, category
  FROM flow
  WHERE src_slice_id = $slice_id
    AND dst_slice_id IS NOT NULL
), found AS (
  SELECT role, distance, slice_id, link, inferred
  FROM upward
  UNION ALL
  SELECT role, 0::BIGINT, slice_id, link, NULL::BOOLEAN
  FROM arrow
)
SELECT
  f.role,
  f.distance,
  f.slice_id,
  s.rank,
  s.track_id,
  t.kind AS lane_kind,
  t.thread_name,
  s.ts,
  s.dur,
  s.name,
  s.class,
  f.link,
  f.inferred
FROM found AS f
JOIN slice AS s ON s.slice_id = f.slice_id
LEFT JOIN track AS t ON t.track_id = s.track_id
ORDER BY
  list_position(
    ['slice', 'launch', 'enqueue', 'flow_from', 'flow_to'], f.role
  ),
  f.distance,
  s.ts,
  f.slice_id,
  f.link
