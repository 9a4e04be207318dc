-- table: lane_part
-- about: Every lane and part of a lane that has slices or cells, with what is
--        known of it as a whole.
WITH counted AS (
  SELECT
    track_id,
    part,
    count(*) AS slices,
    max(depth) AS deepest,
    (max(sublane) + 1)::INTEGER AS sublanes,
    min(ts) FILTER (ts >= $ts) AS ts,
    max(end_ts) FILTER (ts >= $ts) AS end_ts
  FROM slice
  GROUP BY track_id, part
), rows AS (
  FROM counted
  WHERE part IS NOT NULL
  UNION ALL
  SELECT
    track_id,
    NULL,
    sum(slices)::BIGINT,
    max(deepest),
    max(sublanes),
    min(ts),
    max(end_ts)
  FROM counted
  GROUP BY track_id
  UNION ALL
  SELECT track_id, NULL, 0, NULL, NULL, min(ts), max(end_ts)
  FROM stretch
  GROUP BY track_id
), levels AS (
  SELECT min(level) AS finest, max(level) AS coarsest FROM lod_cell
), spent AS (
  SELECT c.track_id, c.part, sum(c.busy)::BIGINT AS busy
  FROM lod_cell AS c
  JOIN levels AS v ON c.level = v.coarsest
  GROUP BY c.track_id, c.part
), called AS (
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
  coalesce(b.busy, 0) AS busy,
  CASE
    WHEN l.kind IN ('python', 'cann', 'host', 'async')
      THEN coalesce(n.launches, 0)
  END AS launches,
  r.deepest,
  r.sublanes,
  r.ts,
  r.end_ts - r.ts AS dur,
  v.finest,
  v.coarsest
FROM rows AS r
CROSS JOIN levels AS v
JOIN lane AS l USING (track_id)
LEFT JOIN spent AS b
  ON r.track_id = b.track_id AND r.part IS NOT DISTINCT FROM b.part
LEFT JOIN launched AS n ON r.track_id = n.track_id
ORDER BY r.track_id, r.part
