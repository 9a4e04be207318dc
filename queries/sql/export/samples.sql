-- The samples of one counter; several series of it share an instant.
SELECT ts, key, value
FROM export_counter
WHERE track_id = $track_id
  AND name IS NOT DISTINCT FROM $name
ORDER BY ts, series_id;
