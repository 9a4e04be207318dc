-- table: idle_proof
-- about: The slice that shows the cause of each piece: what the thread was inside
--        when it began, else the launch that came late, else the task beside it.
WITH open_span AS (
  SELECT silence, role, ts, arg_max(slice_id, end_ts) OVER w AS slice_id
  FROM filled
  WHERE role IN ('gc', 'compile', 'alloc', 'dequeue', 'dataloader', 'call', 'active', 'awaiting')
  WINDOW w AS (
    PARTITION BY silence, role ORDER BY ts, end_ts DESC ROWS UNBOUNDED PRECEDING
  )
), asked AS (
  SELECT
    silence, device_id, ts, cause,
    CASE cause
      WHEN 'host_launch' THEN 'dequeue' WHEN 'host_framework' THEN 'active'
      WHEN 'no_work' THEN 'awaiting' ELSE cause
    END AS role
  FROM idle_piece
), inside AS (
  SELECT p.silence, p.ts, o.slice_id
  FROM asked AS p
  ASOF JOIN open_span AS o ON p.silence = o.silence AND p.role = o.role AND p.ts >= o.ts
), called AS (
  SELECT p.silence, p.ts, o.slice_id
  FROM asked AS p
  ASOF JOIN (FROM open_span WHERE role = 'call') AS o
    ON p.silence = o.silence AND p.ts >= o.ts
  WHERE p.cause IN ('host_launch', 'host_framework')
), waits AS (
  SELECT device_id, ts, arg_max(slice_id, end_ts) OVER w AS slice_id
  FROM device_span
  WHERE state = 9
  WINDOW w AS (
    PARTITION BY device_id ORDER BY ts, end_ts DESC ROWS UNBOUNDED PRECEDING
  )
), waiting AS (
  SELECT p.silence, p.ts, w.slice_id
  FROM asked AS p
  ASOF JOIN waits AS w
    ON p.device_id IS NOT DISTINCT FROM w.device_id AND p.ts >= w.ts
  WHERE p.cause = 'wait_event'
)
SELECT
  p.silence,
  p.ts,
  CASE p.cause
    WHEN 'host_sync' THEN b.sync_slice_id
    WHEN 'copy_staging' THEN b.copying_slice_id
    WHEN 'profiler' THEN s.prev_slice_id
    WHEN 'wait_event' THEN w.slice_id
    WHEN 'host_framework' THEN coalesce(
      s.enqueue_slice_id, s.host_slice_id, i.slice_id, c.slice_id, s.prev_slice_id
    )
    WHEN 'no_work' THEN coalesce(i.slice_id, s.prev_slice_id, s.next_slice_id)
    WHEN 'no_record' THEN coalesce(
      s.enqueue_slice_id, s.host_slice_id, s.prev_slice_id, s.next_slice_id
    )
    WHEN 'unknown' THEN NULL
    ELSE coalesce(
      i.slice_id, c.slice_id, s.host_slice_id, s.prev_slice_id, s.next_slice_id
    )
  END AS evidence_slice_id,
  p.cause = 'host_sync' AND b.concluded AS concluded
FROM idle_piece AS p
JOIN silence AS s USING (silence)
LEFT JOIN blocked AS b USING (silence)
LEFT JOIN inside AS i ON p.silence = i.silence AND p.ts = i.ts
LEFT JOIN called AS c ON p.silence = c.silence AND p.ts = c.ts
LEFT JOIN waiting AS w ON p.silence = w.silence AND p.ts = w.ts
