-- view: lod
-- about: All cells, which know the class of their top slice, in the order in
--        which views read them.
SELECT track_id, part, level, bucket, busy, count, top_slice_id, top_class
FROM lod_cell
ORDER BY level, bucket, track_id, part
