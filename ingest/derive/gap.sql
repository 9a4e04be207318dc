-- table: gap
-- about: The gaps of the devices, each with the step that holds its middle and what
--        takes most of its time.
WITH parts AS (
  SELECT device_id, ts, ts + dur AS end_ts, cause, evidence_slice_id, inferred,
    state = 'waiting_event' AS waits, state = 'idle' AS idle
  FROM stall
  UNION ALL
  SELECT
    device_id, ts, end_ts,
    [NULL, NULL, 'aicpu', 'transferring', 'copying', NULL, NULL, 'collective_other'][state],
    NULL, false, false, false
  FROM device_segment
  WHERE state IN (3, 4, 5, 8)
), held AS (
  SELECT g.gap_id, p.*
  FROM parts AS p
  ASOF JOIN (FROM numbered_gap WHERE kind = 'device') AS g
    ON p.device_id IS NOT DISTINCT FROM g.device_id AND p.ts >= g.ts
  WHERE p.ts < g.end_ts AND (p.waits OR p.idle)
  UNION ALL
  SELECT g.gap_id, p.*
  FROM parts AS p
  ASOF JOIN (FROM numbered_gap WHERE kind = 'compute') AS g
    ON p.device_id IS NOT DISTINCT FROM g.device_id AND p.ts >= g.ts
  WHERE p.ts < g.end_ts
), causes AS (
  SELECT
    gap_id,
    cause,
    sum(end_ts - ts)::BIGINT AS dur,
    arg_max(evidence_slice_id, (end_ts - ts, -ts)) AS evidence_slice_id,
    bool_or(inferred) AS inferred,
    coalesce(sum(end_ts - ts) FILTER (waits), 0)::BIGINT AS wait_ns,
    coalesce(sum(end_ts - ts) FILTER (idle), 0)::BIGINT AS idle_ns
  FROM held
  GROUP BY gap_id, cause
), told AS (
  SELECT
    gap_id,
    arg_max(cause, (dur, cause)) AS cause,
    arg_max_null(evidence_slice_id, (dur, cause)) AS evidence_slice_id,
    arg_max(inferred, (dur, cause)) AS inferred,
    sum(wait_ns)::BIGINT AS wait_ns,
    sum(idle_ns)::BIGINT AS idle_ns
  FROM causes
  GROUP BY gap_id
), placed_gap AS (
  SELECT *, ts + (end_ts - ts) // 2 AS middle FROM numbered_gap
)
SELECT
  g.gap_id,
  $rank::INTEGER AS rank,
  g.device_id,
  g.kind,
  CASE WHEN g.middle < p.ts + p.dur THEN p.step END AS step,
  g.ts,
  g.end_ts - g.ts AS dur,
  coalesce(t.wait_ns, 0) AS wait_ns,
  coalesce(t.idle_ns, 0) AS idle_ns,
  g.prev_slice_id,
  g.next_slice_id,
  t.cause,
  t.evidence_slice_id,
  t.inferred,
  coalesce(s.ts >= g.ts, false) AS step_boundary
FROM placed_gap AS g
LEFT JOIN told AS t USING (gap_id)
ASOF LEFT JOIN step_period AS p ON g.middle >= p.ts
ASOF LEFT JOIN step_period AS s ON g.end_ts > s.ts
ORDER BY g.gap_id
