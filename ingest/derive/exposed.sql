-- table: exposed
-- about: How much of each wait and copy of a stream nothing else covers. waiting:
--        nothing computes and no data is known to move; copying: nothing computes
--        and no collective moves data. Counted up along the device's stretches
--        once, and read off at both ends of each.
WITH tasks AS (
  SELECT slice_id, device_id, ts, end_ts FROM event_mark WHERE waits
  UNION ALL
  SELECT p.slice_id, l.device_id, p.ts, p.ts + p.dur
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'stream' AND p.class = 'copy' AND p.ts >= $ts
), steps AS (
  SELECT
    device_id, ts, end_ts, state = 5 AS copies, NULL::BIGINT AS slice_id,
    NULL::BOOLEAN AS ends
  FROM device_segment
  WHERE state >= 5 AND EXISTS (FROM tasks)
  UNION ALL
  SELECT device_id, ts, NULL, NULL, slice_id, false FROM tasks
  UNION ALL
  SELECT device_id, end_ts, NULL, NULL, slice_id, true FROM tasks
), counted AS (
  -- The last stretch may reach beyond the instant; stretches do not overlap.
  SELECT
    slice_id,
    ends,
    coalesce(sum(end_ts - ts) FILTER (copies) OVER w, 0)
      - greatest(coalesce(max(end_ts) FILTER (copies) OVER w, ts) - ts, 0)
      AS copying_ns,
    coalesce(sum(end_ts - ts) FILTER (NOT copies) OVER w, 0)
      - greatest(coalesce(max(end_ts) FILTER (NOT copies) OVER w, ts) - ts, 0)
      AS waiting_ns
  FROM steps
  WINDOW w AS (
    PARTITION BY device_id ORDER BY ts, slice_id NULLS FIRST
    ROWS UNBOUNDED PRECEDING
  )
)
SELECT
  slice_id,
  (sum(copying_ns) FILTER (ends) - sum(copying_ns) FILTER (NOT ends))::BIGINT
    AS copying_ns,
  (sum(waiting_ns) FILTER (ends) - sum(waiting_ns) FILTER (NOT ends))::BIGINT
    AS waiting_ns
FROM counted
WHERE slice_id IS NOT NULL
GROUP BY slice_id
