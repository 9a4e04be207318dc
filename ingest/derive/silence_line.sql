-- table: silence_line
-- about: The innermost line of Python around what asked for the task that ended a
--        silence, or around the call that held it up. Frames of one depth do not
--        overlap: the last that began at each depth is looked at.
WITH asked AS (
  SELECT
    s.silence,
    coalesce(y.track_id, e.track_id, h.track_id) AS track_id,
    coalesce(y.ts, e.ts, h.ts) AS ts
  FROM silence AS s
  LEFT JOIN blocked AS b USING (silence)
  LEFT JOIN placed AS y ON b.sync_slice_id = y.slice_id
  LEFT JOIN placed AS e ON s.enqueue_slice_id = e.slice_id
  LEFT JOIN placed AS h ON s.host_slice_id = h.slice_id
), threads AS (
  SELECT a.silence, t.thread, a.ts
  FROM asked AS a
  JOIN host_thread AS t USING (track_id)
), frames AS (
  SELECT t.thread, n.depth, n.sublane, p.ts, p.ts + p.dur AS end_ts, p.slice_id
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  JOIN nesting AS n USING (slice_id)
  JOIN host_thread AS t USING (track_id)
  WHERE r.frame AND p.dur > 0
), depths AS (
  SELECT thread, depth, sublane FROM frames GROUP BY ALL
), near AS (
  SELECT a.silence, d.depth, d.sublane, a.thread, a.ts
  FROM threads AS a
  JOIN depths AS d USING (thread)
)
SELECT a.silence, arg_max(f.slice_id, (f.ts, a.depth)) AS line_slice_id
FROM near AS a
ASOF JOIN frames AS f
  ON a.thread = f.thread AND a.depth = f.depth AND a.sublane = f.sublane AND a.ts >= f.ts
WHERE f.end_ts > a.ts
GROUP BY a.silence
