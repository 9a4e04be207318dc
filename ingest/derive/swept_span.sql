-- about: The spans of one device in the order of their starts.
SELECT ts, end_ts, state, slice_id
FROM device_span
WHERE device_id IS NOT DISTINCT FROM $device
ORDER BY ts
