-- The series that count bytes of the device's memory, in one form: those of the
-- memory tables, and those that the timeline counts in KB under names such as
-- APP/HBM.
SELECT
  s.series_id,
  s.rank,
  t.device_id,
  t.process_name AS source,
  CASE
    WHEN s.unit = 'bytes' THEN s.name ELSE split_part(s.name, '/', 1)
  END AS component,
  CASE
    WHEN s.unit = 'bytes' THEN s.key ELSE lower(split_part(s.name, '/', 2))
  END AS key,
  CASE WHEN s.unit = 'bytes' THEN 1 ELSE 1024 END AS unit_bytes
FROM counter_series AS s
LEFT JOIN track AS t ON t.track_id = s.track_id
WHERE s.unit = 'bytes'
  OR (s.unit = 'KB' AND t.process_name = 'NPU MEM')
