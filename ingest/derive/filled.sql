-- table: filled
-- about: What filled the late part of each silence, the waits inside it, and the time
--        without a request, as pieces of the silence.
WITH late AS (
  SELECT device_id, asking AS thread, silence, ts, late_end AS end_ts
  FROM silence
  WHERE late_end > ts AND asking IS NOT NULL
  UNION
  SELECT device_id, launching, silence, ts, late_end
  FROM silence
  WHERE late_end > ts AND launching IS NOT NULL
), numbered AS (
  SELECT
    dense_rank() OVER (ORDER BY device_id, thread) AS line,
    row_number() OVER (PARTITION BY device_id, thread ORDER BY ts) AS place,
    *
  FROM late
), lines AS (
  SELECT DISTINCT line, thread FROM numbered
), spans AS (
  SELECT l.line, h.ts, h.end_ts, h.role, h.slice_id
  FROM host_span AS h
  JOIN lines AS l ON h.thread = l.thread
  WHERE h.role NOT IN ('sync', 'copying', 'replay')
  UNION ALL
  SELECT l.line, h.ts, h.end_ts, h.role, h.slice_id
  FROM host_span AS h
  CROSS JOIN lines AS l
  WHERE h.thread IS NULL
), reaching AS (
  SELECT s.*, f.place AS first_place, t.place AS last_place
  FROM spans AS s
  ASOF JOIN numbered AS f ON s.line = f.line AND s.ts < f.end_ts
  ASOF JOIN numbered AS t ON s.line = t.line AND s.end_ts > t.ts
  WHERE f.place <= t.place
), met AS (
  SELECT line, ts, end_ts, role, slice_id, unnest(range(first_place, last_place + 1)) AS place
  FROM reaching
)
SELECT
  n.silence,
  m.role,
  greatest(m.ts, n.ts) AS ts,
  least(m.end_ts, n.end_ts) AS end_ts,
  m.slice_id
FROM met AS m
JOIN numbered AS n USING (line, place)
UNION ALL
SELECT silence, 'pause', ts, end_ts, NULL FROM pause
UNION ALL
SELECT s.silence, 'event', g.ts, g.end_ts, NULL
FROM device_segment AS g
ASOF JOIN silence AS s
  ON g.device_id IS NOT DISTINCT FROM s.device_id AND g.ts >= s.ts
WHERE g.state = 9 AND g.ts < s.end_ts
