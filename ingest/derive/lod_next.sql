-- table: lod
-- about: Cells twice as wide, from the two halves of each.
SELECT
  track_id,
  part,
  (level + 1)::SMALLINT AS level,
  bucket >> 1 AS bucket,
  sum(busy)::BIGINT AS busy,
  sum(count)::BIGINT AS count,
  arg_max(top_slice_id, (top_own, -top_slice_id)) AS top_slice_id,
  max(top_own) AS top_own
FROM lod_cell
WHERE level = $level
GROUP BY track_id, part, level, bucket >> 1
