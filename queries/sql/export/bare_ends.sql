-- Ends of arrows in the selection at which no slice stands.
WITH bare AS (
  SELECT rank, src_track_id AS track_id, src_ts AS ts
  FROM flow
  WHERE src_slice_id IS NULL
  UNION ALL
  SELECT rank, dst_track_id, dst_ts
  FROM flow
  WHERE dst_slice_id IS NULL
)
SELECT count(*)
FROM bare AS b
JOIN export_window AS w ON w.rank = b.rank
WHERE NOT w.listed
  AND b.track_id IN (SELECT track_id FROM export_track)
  AND (w.from_ts IS NULL OR b.ts >= w.from_ts)
  AND (w.to_ts IS NULL OR b.ts < w.to_ts);
