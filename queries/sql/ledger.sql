-- title:   Ledger
-- about:   What the device did in the period of each step, to the ns: every ns
--          is in exactly one state, so the rows of a step and a device sum to
--          its period. States are in their order of precedence; idle and
--          waiting time is split by cause, lead_in: before the first task of
--          the period and tail: after its last.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, device_id INTEGER, step INTEGER, state VARCHAR,
--          cause VARCHAR, dur BIGINT, period BIGINT, period_share DOUBLE
-- needs:   ledger, step
WITH summed AS (
  SELECT rank, device_id, step, state, cause, sum(dur)::BIGINT AS dur
  FROM ledger
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, device_id, step, state, cause
)
SELECT
  l.rank,
  l.device_id,
  l.step,
  l.state,
  l.cause,
  l.dur,
  s.dur AS period,
  l.dur / nullif(s.dur, 0) AS period_share
FROM summed AS l
LEFT JOIN step AS s ON s.rank = l.rank AND s.step = l.step
ORDER BY
  l.rank,
  s.ts,
  l.step,
  l.device_id,
  list_position(
    [
      'computing', 'mc2', 'aicpu', 'transferring', 'copying', 'waiting_peer',
      'waiting_stage', 'collective_other', 'waiting_event', 'idle'
    ],
    l.state
  ),
  l.dur DESC,
  l.cause
