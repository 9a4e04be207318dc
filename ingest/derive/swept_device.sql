-- about: The devices that have spans, those that are not known last.
SELECT DISTINCT device_id FROM device_span ORDER BY device_id
