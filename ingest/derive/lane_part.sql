-- table: lane_part
-- about: Every lane and part of a lane that has slices or cells, with what is
--        known of it as a whole.
WITH called AS (
  SELECT slice_id, host_slice_id AS caller_id FROM launch_link
  UNION ALL
  SELECT slice_id, enqueue_slice_id FROM launch_link
), launched AS (
  SELECT p.track_id, count(DISTINCT c.slice_id) AS launches
  FROM called AS c
  JOIN placed AS p ON c.caller_id = p.slice_id
  GROUP BY p.track_id
)
SELECT
  r.track_id,
  r.part,
  r.slices,
  r.busy,
  CASE
    WHEN l.kind IN ('python', 'cann', 'host', 'async')
      THEN coalesce(n.launches, 0)
  END AS launches,
  r.deepest,
  r.sublanes,
  r.ts,
  r.end_ts - r.ts AS dur,
  $finest AS finest,
  $coarsest AS coarsest
FROM lane_row AS r
JOIN lane AS l USING (track_id)
LEFT JOIN launched AS n ON r.track_id = n.track_id
ORDER BY r.track_id, r.part
