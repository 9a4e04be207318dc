-- table: peer_stall
-- about: The time in which a device waits for other ranks, with whom it waits for.
SELECT
  device_id, ts, end_ts, state,
  'unknown' AS cause, NULL::INTEGER AS peer, NULL::BIGINT AS evidence_slice_id,
  false AS inferred
FROM device_segment
WHERE state IN (6, 7)
