-- The ends of arrows at the slices of a part.
SELECT
  src_slice_id AS slice_id,
  arrow,
  kind,
  TRUE AS leaves,
  direction,
  src_at AS at_ts
FROM export_arrow
WHERE rank = $rank
  AND src_start_ts >= $from_ts
  AND src_start_ts < $to_ts
UNION ALL
SELECT dst_slice_id, arrow, kind, FALSE, direction, dst_at
FROM export_arrow
WHERE rank = $rank
  AND dst_start_ts >= $from_ts
  AND dst_start_ts < $to_ts
ORDER BY slice_id, arrow, leaves DESC;
