-- table: device_task
-- about: The device's work (compute, communication and copies), with the instant
--        at which the host decided on it.
SELECT
  p.slice_id,
  l.device_id,
  p.ts,
  p.ts + p.dur AS end_ts,
  k.instant
FROM placed AS p
JOIN lane AS l USING (track_id)
LEFT JOIN launch_link AS k USING (slice_id)
WHERE l.kind IN ('stream', 'group')
  AND p.class IN ('compute', 'mc2', 'communication', 'copy')
  AND p.ts >= $ts
