-- table: slice_side
-- about: What other tables know of each slice, row by row as in placed.
SELECT
  p.slice_id,
  r.part,
  m.step AS launched_in,
  l.kind IN ('stream', 'group', 'plane', 'overlap', 'step') AS on_device
FROM placed AS p
JOIN lane AS l USING (track_id)
LEFT JOIN part AS r USING (slice_id)
LEFT JOIN step_member AS m USING (slice_id)
ORDER BY p.slice_id
