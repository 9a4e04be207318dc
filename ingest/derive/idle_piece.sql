-- table: idle_piece
-- about: Silences cut wherever their reason may change, each piece with its cause.
WITH replay AS (
  SELECT p.slice_id
  FROM placed AS p
  SEMI JOIN (FROM host_role WHERE role = 'replay') AS r USING (pattern)
), replayed AS (
  SELECT k.slice_id, k.host_slice_id
  FROM launch_link AS k
  SEMI JOIN replay AS r ON k.host_slice_id = r.slice_id
), bordered AS (
  SELECT s.silence, b.edge
  FROM (SELECT DISTINCT unnest([ts, ts + dur]) AS edge FROM step_period) AS b
  CROSS JOIN (SELECT DISTINCT device_id FROM silence) AS d
  ASOF JOIN silence AS s
    ON d.device_id IS NOT DISTINCT FROM s.device_id AND b.edge > s.ts
  WHERE b.edge < s.end_ts
), cut AS (
  SELECT silence FROM filled UNION SELECT silence FROM bordered
), whole AS (
  FROM silence SEMI JOIN cut USING (silence)
), edges AS (
  SELECT silence, ts AS edge, '' AS role, 0 AS delta FROM whole
  UNION ALL
  SELECT silence, end_ts, '', 0 FROM whole
  UNION ALL
  SELECT silence, late_end, '', 0 FROM whole WHERE late_end IS NOT NULL
  UNION ALL
  SELECT silence, edge, '', 0 FROM bordered
  UNION ALL
  SELECT silence, ts, role, 1 FROM filled
  UNION ALL
  SELECT silence, end_ts, role, -1 FROM filled
), running AS (
  SELECT
    silence,
    edge AS ts,
    lead(edge) OVER w AS end_ts,
    sum(CASE role WHEN 'event' THEN delta ELSE 0 END) OVER w > 0 AS event,
    sum(CASE role WHEN 'gc' THEN delta ELSE 0 END) OVER w > 0 AS gc,
    sum(CASE role WHEN 'compile' THEN delta ELSE 0 END) OVER w > 0 AS compile,
    sum(CASE role WHEN 'alloc' THEN delta ELSE 0 END) OVER w > 0 AS alloc,
    sum(CASE role WHEN 'dequeue' THEN delta ELSE 0 END) OVER w > 0 AS dequeue,
    sum(CASE role WHEN 'dataloader' THEN delta ELSE 0 END) OVER w > 0 AS dataloader,
    sum(CASE role WHEN 'call' THEN delta ELSE 0 END) OVER w > 0 AS call,
    sum(CASE role WHEN 'active' THEN delta ELSE 0 END) OVER w > 0 AS active,
    sum(CASE role WHEN 'awaiting' THEN delta ELSE 0 END) OVER w > 0 AS awaiting,
    sum(CASE role WHEN 'pause' THEN delta ELSE 0 END) OVER w > 0 AS pause
  FROM edges
  WINDOW w AS (PARTITION BY silence ORDER BY edge)
  UNION ALL
  -- Most silences have nothing inside: only their late part is apart from the rest.
  SELECT
    silence, ts, coalesce(late_end, end_ts),
    false, false, false, false, false, false, false, false, false, false
  FROM silence ANTI JOIN cut USING (silence)
  UNION ALL
  SELECT
    silence, late_end, end_ts,
    false, false, false, false, false, false, false, false, false, false
  FROM silence ANTI JOIN cut USING (silence)
  WHERE late_end IS NOT NULL
), judged AS (
  SELECT
    *,
    -- Whoever waits for a request, or does nothing for long that is recorded, has none.
    pause AND (awaiting OR (NOT active AND end_ts - ts >= $least_pause))
      AND NOT (call OR dequeue OR gc OR compile OR alloc) AS unrequested
  FROM running
), pieces AS (
  SELECT
    r.silence,
    s.device_id,
    r.ts,
    r.end_ts,
    r.event,
    CASE
      WHEN s.late_end IS NULL OR r.unrequested THEN NULL
      WHEN r.ts >= s.late_end THEN 'device'
      WHEN r.dequeue OR (s.enqueue_slice_id IS NULL AND r.call) THEN 'launch'
      ELSE 'framework'
    END AS stage,
    CASE
      WHEN r.unrequested THEN 'no_work'
      WHEN r.ts < s.late_end THEN CASE
        WHEN b.sync_slice_id IS NOT NULL THEN 'host_sync'
        WHEN r.gc THEN 'gc'
        WHEN r.compile THEN 'compile'
        WHEN r.alloc THEN 'alloc'
        WHEN q.slice_id IS NOT NULL THEN 'graph_launch'
        WHEN r.dequeue OR (s.enqueue_slice_id IS NULL AND r.call) THEN 'host_launch'
        WHEN r.dataloader THEN 'dataloader'
        WHEN r.active OR r.call OR s.unasked THEN 'host_framework'
        WHEN s.asking IS NOT NULL THEN 'no_record'
        ELSE 'unknown'
      END
      WHEN q.slice_id IS NOT NULL AND k.host_slice_id = s.host_slice_id THEN 'graph_inner'
      WHEN r.event THEN 'wait_event'
      WHEN s.late_end IS NULL THEN 'unknown'
      WHEN b.copying_slice_id IS NOT NULL THEN 'copy_staging'
      WHEN s.late_end = s.ts
        AND s.end_ts - s.ts BETWEEN p.least AND p.most
        AND s.prev_slice_id IN (SELECT slice_id FROM device_span WHERE state = 1)
      THEN 'profiler'
      ELSE 'device_queue'
    END AS cause
  FROM judged AS r
  JOIN silence AS s USING (silence)
  LEFT JOIN blocked AS b USING (silence)
  LEFT JOIN spacing AS p ON s.device_id IS NOT DISTINCT FROM p.device_id
  LEFT JOIN replay AS q ON s.host_slice_id = q.slice_id
  LEFT JOIN replayed AS k ON s.prev_slice_id = k.slice_id
  WHERE r.end_ts > r.ts
), turns AS (
  SELECT
    *,
    (cause, stage, event) IS DISTINCT FROM lag((cause, stage, event)) OVER w
      OR ts IN (SELECT unnest([ts, ts + dur]) FROM step_period) AS begins
  FROM pieces
  WINDOW w AS (PARTITION BY silence ORDER BY ts)
), runs AS (
  SELECT
    *,
    sum(begins::INTEGER) OVER (PARTITION BY silence ORDER BY ts) AS run
  FROM turns
)
SELECT
  silence,
  any_value(device_id) AS device_id,
  min(ts) AS ts,
  max(end_ts) AS end_ts,
  any_value(event) AS event,
  any_value(cause) AS cause,
  any_value(stage) AS stage
FROM runs
GROUP BY silence, run
