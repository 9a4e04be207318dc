-- table: gap
-- about: The gaps of the devices, each with the step that holds its middle.
WITH ordered AS (
  SELECT *, ts + (end_ts - ts) // 2 AS middle
  FROM device_gap
  ORDER BY ts, device_id
), numbered AS (
  SELECT *, $base + row_number() OVER () - 1 AS gap_id FROM ordered
)
SELECT
  g.gap_id,
  $rank::INTEGER AS rank,
  g.device_id,
  'device' AS kind,
  CASE WHEN g.middle < p.ts + p.dur THEN p.step END AS step,
  g.ts,
  g.end_ts - g.ts AS dur,
  g.wait_ns,
  g.end_ts - g.ts - g.wait_ns AS idle_ns,
  g.prev_slice_id,
  g.next_slice_id,
  NULL::VARCHAR AS cause,
  NULL::BIGINT AS evidence_slice_id,
  NULL::BOOLEAN AS inferred,
  coalesce(s.ts >= g.ts, false) AS step_boundary
FROM numbered AS g
ASOF LEFT JOIN step_period AS p ON g.middle >= p.ts
ASOF LEFT JOIN step_period AS s ON g.end_ts > s.ts
ORDER BY g.gap_id
