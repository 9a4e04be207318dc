-- table: stall
-- about: All time in which a device does not work, in stretches with one reason.
WITH pieces AS (
  SELECT
    i.device_id,
    CASE WHEN i.event THEN 'waiting_event' ELSE 'idle' END AS state,
    i.ts,
    i.end_ts,
    i.cause,
    i.stage,
    s.gap_id,
    s.next_slice_id,
    o.evidence_slice_id,
    l.line_slice_id,
    NULL::INTEGER AS peer,
    CASE i.cause
      WHEN 'unknown' THEN false
      WHEN 'profiler' THEN true
      WHEN 'copy_staging' THEN true
      WHEN 'host_framework' THEN s.inferred OR s.unasked
      WHEN 'host_sync' THEN s.inferred OR o.concluded
      ELSE s.inferred
    END AS inferred
  FROM idle_piece AS i
  JOIN silence AS s USING (silence)
  JOIN idle_proof AS o ON i.silence = o.silence AND i.ts = o.ts
  LEFT JOIN silence_line AS l ON i.silence = l.silence
  UNION ALL
  SELECT
    device_id,
    CASE state WHEN 6 THEN 'waiting_peer' ELSE 'waiting_stage' END,
    ts, end_ts, cause, NULL, NULL, NULL, evidence_slice_id, NULL, peer, inferred
  FROM peer_stall
), worked AS (
  SELECT device_id, step, min(ts) AS first_ts, max(end_ts) AS last_ts
  FROM step_segment
  WHERE state < 9
  GROUP BY device_id, step
), stepped AS (
  SELECT s.*, CASE WHEN s.ts < p.ts + p.dur THEN p.step END AS step
  FROM pieces AS s
  ASOF LEFT JOIN step_period AS p ON s.ts >= p.ts
)
SELECT
  $base + row_number() OVER (ORDER BY s.ts, s.device_id) - 1 AS stall_id,
  $rank::INTEGER AS rank,
  s.device_id,
  s.step,
  s.state,
  CASE
    WHEN s.step IS NULL OR s.state IN ('waiting_peer', 'waiting_stage') THEN NULL
    WHEN w.first_ts IS NULL OR s.ts < w.first_ts THEN 'lead_in'
    WHEN s.ts >= w.last_ts THEN 'tail'
    ELSE 'between'
  END AS place,
  s.ts,
  s.end_ts - s.ts AS dur,
  s.cause,
  s.stage,
  s.gap_id,
  s.next_slice_id,
  s.evidence_slice_id,
  s.line_slice_id,
  s.peer,
  s.inferred
FROM stepped AS s
LEFT JOIN worked AS w
  ON s.device_id IS NOT DISTINCT FROM w.device_id AND s.step = w.step
ORDER BY s.ts, s.device_id
