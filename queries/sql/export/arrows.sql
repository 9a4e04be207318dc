-- The arrows that meet the slices of a part.
WITH part AS (
  SELECT unnest($part) AS slice_id
)
SELECT src_slice_id, dst_slice_id, category, name, src_ts, dst_ts
FROM flow
WHERE rank = $rank
  AND (
    src_slice_id IN (SELECT slice_id FROM part)
    OR dst_slice_id IN (SELECT slice_id FROM part)
  )
ORDER BY ALL;
