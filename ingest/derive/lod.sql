-- view: lod
-- about: All cells in the order in which views read them.
SELECT c.track_id, c.part, c.level, c.bucket, c.busy, c.count, c.top_slice_id,
  p.class AS top_class
FROM lod_cell AS c
LEFT JOIN placed AS p ON c.top_slice_id = p.slice_id
ORDER BY c.level, c.bucket, c.track_id, c.part
