-- table: blocked
-- about: Silences that began while the thread that had to ask for the next task
--        was inside a call that waits for the device: it could not run ahead.
--        Likewise, in "copying", the call that was still copying when the copy that
--        ended the silence began.
WITH held AS (
  SELECT
    role,
    thread,
    ts,
    max(end_ts) OVER w AS reach,
    arg_max(slice_id, end_ts) OVER w AS slice_id
  FROM host_span
  WHERE role IN ('sync', 'copying')
  WINDOW w AS (PARTITION BY role, thread ORDER BY ts, end_ts DESC ROWS UNBOUNDED PRECEDING)
), syncs AS (
  SELECT s.silence, h.slice_id
  FROM silence AS s
  ASOF JOIN (FROM held WHERE role = 'sync') AS h ON s.asking = h.thread AND s.ts >= h.ts
  WHERE h.reach > s.ts
    AND (s.next_slice_id IS NULL OR s.instant >= h.reach)
), copies AS (
  SELECT s.silence, h.slice_id
  FROM silence AS s
  JOIN placed AS p ON s.next_slice_id = p.slice_id
  ASOF JOIN (FROM held WHERE role = 'copying') AS h
    ON s.asking = h.thread AND s.late_end >= h.ts
  WHERE p.class = 'copy'
    -- The data is staged at most as fast as it is moved.
    AND s.end_ts - s.late_end >= p.dur
    AND h.reach > s.end_ts
)
SELECT
  silence,
  y.slice_id AS sync_slice_id,
  c.slice_id AS copying_slice_id
FROM syncs AS y
FULL JOIN copies AS c USING (silence)
