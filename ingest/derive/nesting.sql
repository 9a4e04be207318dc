-- table: nesting
-- about: Depth, sub-lane and parent of every slice, row by row as in placed.
SELECT
  g.slice_id,
  (CASE WHEN u.slice_id IS NULL THEN g.depth ELSE u.depth END)::INTEGER AS depth,
  coalesce(u.sublane, 0)::INTEGER AS sublane,
  CASE WHEN u.slice_id IS NULL THEN g.parent_id ELSE u.parent_id END AS parent_id
FROM nesting_guess AS g
LEFT JOIN untangled AS u USING (slice_id)
ORDER BY g.slice_id
