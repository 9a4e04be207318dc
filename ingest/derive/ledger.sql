-- table: ledger
-- about: Time in each state over a step's period; every ns is in exactly one.
SELECT
  $rank::INTEGER AS rank,
  g.device_id,
  p.step,
  g.state,
  NULL::VARCHAR AS cause,
  sum(g.end_ts - g.ts)::BIGINT AS dur
FROM device_segment AS g
ASOF JOIN step_period AS p ON g.ts >= p.ts
WHERE g.ts < p.ts + p.dur
GROUP BY g.device_id, p.step, g.state
ORDER BY p.step, g.device_id, g.state
