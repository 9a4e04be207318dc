-- table: device_span
-- about: What device slices say of their device's state, as intervals. "state"
--        numbers the states by rank: where several hold the lowest counts.
WITH device AS (
  SELECT
    p.slice_id, l.device_id, l.kind, l.group_name, l.stream_id AS lane_stream,
    p.ts, p.ts + p.dur AS end_ts, p.class, p.name, m.task
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN pattern AS m USING (pattern)
  WHERE l.kind IN ('stream', 'group', 'plane') AND p.dur > 0 AND p.ts >= $ts
), cores AS (
  -- The kernel table knows the AI CPU; the timeline may call everything AI_CORE.
  SELECT slice_id, any_value(core) AS core
  FROM kernel
  WHERE slice_id IS NOT NULL
  GROUP BY slice_id
), own AS (
  SELECT d.*, c.core, s.stream_id IS NOT NULL AS repeats
  FROM device AS d
  LEFT JOIN cores AS c USING (slice_id)
  LEFT JOIN communication_stream AS s
    ON d.kind = 'stream'
    AND d.device_id IS NOT DISTINCT FROM s.device_id
    AND d.lane_stream = s.stream_id
), receive AS (
  SELECT d.device_id, d.group_name, d.ts, d.end_ts, n.text AS name
  FROM device AS d
  JOIN word AS n ON d.name = n.code
  WHERE kind = 'group'
), plane AS (
  SELECT
    o.*,
    r.end_ts >= o.end_ts AND (
      starts_with(r.name, 'hcom_receive') OR contains(r.name, 'SendRecv')
    ) AS receives
  FROM (SELECT * FROM own WHERE kind = 'plane') AS o
  ASOF LEFT JOIN receive AS r
    ON o.device_id IS NOT DISTINCT FROM r.device_id
    AND o.group_name IS NOT DISTINCT FROM r.group_name
    AND o.ts >= r.ts
), stated AS (
  SELECT
    slice_id, device_id, ts, end_ts,
    CASE
      WHEN class = 'compute' AND (
        core = 'AI_CPU' OR list_contains($ai_cpu_tasks, task)
      ) THEN 3
      WHEN class = 'compute' THEN 1
      WHEN class = 'mc2' THEN 2
      WHEN class = 'copy' AND NOT repeats THEN 5
      -- A collective that runs as a kernel, without a lane of its own.
      WHEN class = 'communication' AND NOT repeats THEN 8
      WHEN class = 'wait' AND NOT repeats THEN 9
    END AS state
  FROM own
  WHERE kind = 'stream'
  UNION ALL
  SELECT
    slice_id, device_id, ts, end_ts,
    CASE
      WHEN class = 'communication' THEN 4
      WHEN class = 'wait' AND receives THEN 7
      WHEN class = 'wait' THEN 6
    END AS state
  FROM plane
  UNION ALL
  SELECT slice_id, device_id, ts, end_ts, 8 AS state
  FROM own
  WHERE kind = 'group'
)
FROM stated
WHERE state IS NOT NULL
