-- table: ledger
-- about: Time in each state over a step's period; every ns is in exactly one. Idle
--        and waiting time is that of the stalls, by cause.
WITH spent AS (
  SELECT
    device_id, step, ts, end_ts - ts AS dur, NULL AS cause,
    [
      'computing', 'mc2', 'aicpu', 'transferring', 'copying', 'waiting_peer',
      'waiting_stage', 'collective_other', 'waiting_event', 'idle'
    ][state] AS state
  FROM step_segment
  WHERE state NOT IN (6, 7, 9, 10)
  UNION ALL
  SELECT
    device_id, step, ts, dur,
    CASE
      WHEN state = 'idle' AND place IN ('lead_in', 'tail') THEN place || ':' || cause
      ELSE cause
    END,
    state
  FROM stall
  WHERE step IS NOT NULL
), phased AS (
  SELECT s.*, h.phase
  FROM spent AS s
  ASOF JOIN step_phase AS h
    ON s.device_id IS NOT DISTINCT FROM h.device_id AND s.ts >= h.ts
)
SELECT
  $rank::INTEGER AS rank,
  device_id,
  step,
  phase,
  state,
  cause,
  sum(dur)::BIGINT AS dur
FROM phased
GROUP BY ALL
ORDER BY step, device_id, state, cause, phase
