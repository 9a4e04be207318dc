-- A slice, what is nested in it on its lane (on whichever sub-lane), and the
-- device slices that any of these launched or put in the task queue.
INSERT INTO export_part
WITH root AS (
  SELECT slice_id, track_id, sublane, depth, ts, ts + dur AS end_ts
  FROM slice
  WHERE slice_id = $slice_id
),
nested AS (
  SELECT s.slice_id
  FROM slice AS s
  JOIN root AS r ON r.track_id = s.track_id
  WHERE s.ts >= r.ts
    AND s.ts + s.dur <= r.end_ts
    AND (s.sublane <> r.sublane OR s.depth > r.depth)
  UNION ALL
  SELECT slice_id
  FROM root
)
SELECT slice_id
FROM nested
UNION
SELECT l.slice_id
FROM launch_link AS l
WHERE l.host_slice_id IN (SELECT slice_id FROM nested)
  OR l.enqueue_slice_id IN (SELECT slice_id FROM nested);
