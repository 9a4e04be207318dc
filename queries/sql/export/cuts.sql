-- Every so many-th start of a slice: where to cut a long export into parts.
SELECT start_ts
FROM export_slice
WHERE rank = $rank
  AND slice_id % $stride = 0
ORDER BY start_ts;
