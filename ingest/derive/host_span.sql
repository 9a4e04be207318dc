-- table: host_span
-- about: What host threads were busy with: slices whose name tells, and the
--        outermost slices of every thread (call on the lanes of CANN, else active).
--        What is around a whole step, its mark too, tells nothing. A collection of
--        garbage stops all threads: its thread is NULL.
WITH around AS (
  SELECT DISTINCT p.slice_id
  FROM placed AS p
  JOIN host_thread AS t USING (track_id)
  JOIN step_mark AS m ON p.ts <= m.ts AND p.ts + p.dur >= m.end_ts
  WHERE p.dur >= (SELECT min(end_ts - ts) FROM step_mark)
), wanted AS (
  SELECT asking AS thread FROM silence WHERE late_end > ts
  UNION
  SELECT launching FROM silence WHERE late_end > ts
), outer_slice AS (
  SELECT p.slice_id, t.thread, t.kind, p.ts, p.ts + p.dur AS end_ts
  FROM placed AS p
  JOIN nesting AS n USING (slice_id)
  JOIN host_thread AS t USING (track_id)
  SEMI JOIN wanted AS w ON t.thread = w.thread
  WHERE p.dur > 0
    AND p.class <> 'step'
    AND (n.parent_id IS NULL OR n.parent_id IN (SELECT slice_id FROM around))
    AND p.slice_id NOT IN (SELECT slice_id FROM around)
)
SELECT
  CASE WHEN r.role <> 'gc' THEN t.thread END AS thread,
  p.ts,
  p.ts + p.dur AS end_ts,
  r.role,
  p.slice_id
FROM placed AS p
JOIN host_role AS r USING (pattern)
LEFT JOIN host_thread AS t USING (track_id)
WHERE r.role IS NOT NULL
  AND p.dur > 0
  AND (r.role <> 'compile' OR p.dur >= $least_compile)
UNION ALL
SELECT thread, ts, end_ts, CASE kind WHEN 'cann' THEN 'call' ELSE 'active' END, slice_id
FROM outer_slice
