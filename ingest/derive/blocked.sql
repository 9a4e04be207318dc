-- table: blocked
-- about: Silences that began while the thread that had to ask for the next task
--        was inside a call that waits for the device: it could not run ahead.
--        What launches a backward pass is a thread that the main one starts: where it
--        rests until the main thread comes out of such a call, that held it up as well
--        ("concluded"). Likewise, in "copying", the call that was still copying when the copy that
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
), started AS (
  SELECT s.silence, s.ts, s.asking, h.reach, h.slice_id
  FROM silence AS s
  ASOF JOIN (FROM held WHERE role = 'sync') AS h ON s.stepping = h.thread AND s.ts >= h.ts
  WHERE s.asking <> s.stepping
    AND s.next_slice_id IS NOT NULL
    AND h.reach > s.ts
    AND s.instant >= h.reach
), active AS (
  SELECT
    thread,
    ts,
    max(end_ts) OVER (PARTITION BY thread ORDER BY ts ROWS UNBOUNDED PRECEDING) AS reach
  FROM host_span
  WHERE role IN ('active', 'call') AND thread IN (SELECT asking FROM started)
), resting AS (
  SELECT s.silence, s.slice_id
  FROM started AS s
  ASOF LEFT JOIN active AS a ON s.asking = a.thread AND s.reach > a.ts
  WHERE (a.reach > s.ts) IS NOT TRUE
), held_up AS (
  SELECT silence, slice_id, false AS concluded FROM syncs
  UNION ALL
  SELECT silence, slice_id, true FROM resting ANTI JOIN syncs USING (silence)
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
  coalesce(y.concluded, false) AS concluded,
  c.slice_id AS copying_slice_id
FROM held_up AS y
FULL JOIN copies AS c USING (silence)
