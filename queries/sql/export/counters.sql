-- The counters of the selection, in the order of their lanes.
SELECT DISTINCT l.lane, l.track_id, r.name
FROM counter_series AS r
JOIN export_lane AS l
  ON l.track_id = r.track_id
  AND l.sublane = 0
  AND l.band = 0
WHERE l.samples > 0
ORDER BY l.lane, r.name;
