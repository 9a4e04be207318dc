-- view: slice
-- about: What the cells and lanes are counted from.
SELECT
  p.slice_id,
  p.track_id,
  p.ts,
  p.ts + p.dur AS end_ts,
  n.depth,
  n.sublane,
  r.part
FROM placed AS p
JOIN nesting AS n USING (slice_id)
LEFT JOIN part AS r USING (slice_id)
