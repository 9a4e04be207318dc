-- table: ledger
-- about: Time in each state over a step's period; every ns is in exactly one.
WITH spent AS (
  SELECT g.device_id, p.step, g.state, sum(g.end_ts - g.ts)::BIGINT AS dur
  FROM device_segment AS g
  ASOF JOIN step_period AS p ON g.ts >= p.ts
  WHERE g.ts < p.ts + p.dur
  GROUP BY g.device_id, p.step, g.state
)
SELECT
  $rank::INTEGER AS rank,
  device_id,
  step,
  [
    'computing', 'mc2', 'aicpu', 'transferring', 'copying', 'waiting_peer',
    'waiting_stage', 'collective_other', 'waiting_event', 'idle'
  ][state] AS state,
  NULL::VARCHAR AS cause,
  dur
FROM spent
ORDER BY step, device_id, 4
