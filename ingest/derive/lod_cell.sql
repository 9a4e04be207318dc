-- table: lod_cell
-- about: No cells yet. Words that repeat are numbers here: so cells sort three
--        times as fast.
SELECT
  p.track_id,
  r.part,
  0::SMALLINT AS level,
  0::BIGINT AS bucket,
  0::BIGINT AS busy,
  0::BIGINT AS count,
  p.slice_id AS top_slice_id,
  p.class AS top_class
FROM placed AS p
JOIN part AS r USING (slice_id)
WHERE false
