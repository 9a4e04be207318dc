-- table: device_span
-- about: What device slices say of their device's state, as intervals in the
--        order of device and start. "state" numbers the states by rank: where
--        several hold the lowest counts.
WITH kinds AS (
  -- What a pattern says by itself; 3 for AI CPU, 0 for a wait on a plane.
  SELECT
    m.pattern,
    l.device_id,
    l.group_name,
    CASE
      WHEN l.kind = 'stream' THEN CASE
        WHEN m.class = 'compute' AND list_contains($ai_cpu_tasks, m.task) THEN 3
        WHEN m.class = 'compute' THEN 1
        WHEN m.class = 'mc2' THEN 2
        WHEN s.stream_id IS NOT NULL THEN NULL
        WHEN m.class = 'copy' THEN 5
        -- A collective that runs as a kernel, without a lane of its own.
        WHEN m.class = 'communication' THEN 8
        WHEN m.class = 'wait' THEN 9
      END
      WHEN l.kind = 'group' THEN 8
      WHEN m.class = 'communication' THEN 4
      WHEN m.class = 'wait' THEN 0
    END::UTINYINT AS state
  FROM pattern AS m
  JOIN lane AS l USING (lane)
  LEFT JOIN communication_stream AS s
    ON l.device_id IS NOT DISTINCT FROM s.device_id
    AND l.stream_id = s.stream_id
  WHERE l.kind IN ('stream', 'group', 'plane')
), spans AS (
  SELECT p.slice_id, k.device_id, k.group_name, p.ts, p.ts + p.dur AS end_ts, k.state
  FROM placed AS p
  JOIN kinds AS k USING (pattern)
  WHERE p.dur > 0 AND p.ts >= $ts AND k.state IS NOT NULL
), aicpu AS (
  -- The kernel table knows the AI CPU; the timeline may call everything AI_CORE.
  SELECT DISTINCT slice_id
  FROM kernel
  WHERE core = 'AI_CPU' AND slice_id IS NOT NULL AND EXISTS (FROM kernel_row)
), received AS (
  SELECT
    l.device_id, l.group_name, p.ts, p.ts + p.dur AS end_ts,
    starts_with(n.text, 'hcom_receive') OR contains(n.text, 'SendRecv') AS receives
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE l.kind = 'group' AND p.dur > 0 AND p.ts >= $ts
), stated AS (
  SELECT
    s.slice_id, s.device_id, s.ts, s.end_ts,
    CASE WHEN s.state = 1 AND a.slice_id IS NOT NULL THEN 3
    ELSE s.state END::UTINYINT AS state
  FROM spans AS s
  LEFT JOIN aicpu AS a USING (slice_id)
  WHERE s.state > 0
  UNION ALL
  SELECT
    s.slice_id, s.device_id, s.ts, s.end_ts,
    CASE WHEN r.end_ts >= s.end_ts AND r.receives THEN 7 ELSE 6 END::UTINYINT
  FROM (SELECT * FROM spans WHERE state = 0) AS s
  ASOF LEFT JOIN received AS r
    ON s.device_id IS NOT DISTINCT FROM r.device_id
    AND s.group_name IS NOT DISTINCT FROM r.group_name
    AND s.ts >= r.ts
)
FROM stated
ORDER BY device_id, ts
