-- title:   Phases of a step
-- about:   Where in each step its time went: before the first kernel (lead_in),
--          forward, backward with its communication, optimizer, after the last
--          kernel (tail); body where nothing marks forward and backward, and
--          prefill, decode or mixed in an iteration of a server, before which
--          lead_in is the gap between two of them. The phases of a step and
--          device sum to its period.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, device_id INTEGER, step INTEGER, phase VARCHAR,
--          dur BIGINT, period_share DOUBLE, computing BIGINT,
--          waiting BIGINT, moving BIGINT, idle BIGINT, busy_share DOUBLE,
--          main_cause VARCHAR
-- needs:   ledger, step
WITH summed AS (
  SELECT
    rank,
    device_id,
    step,
    phase,
    sum(dur)::BIGINT AS dur,
    coalesce(sum(dur) FILTER (
      state IN ('computing', 'mc2', 'aicpu')
    ), 0)::BIGINT AS computing,
    coalesce(sum(dur) FILTER (starts_with(state, 'waiting')), 0)::BIGINT
      AS waiting,
    coalesce(sum(dur) FILTER (
      state IN ('transferring', 'copying', 'collective_other')
    ), 0)::BIGINT AS moving,
    coalesce(sum(dur) FILTER (state = 'idle'), 0)::BIGINT AS idle,
    arg_max(cause, dur) AS main_cause
  FROM ledger
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, device_id, step, phase
)
SELECT
  p.rank,
  p.device_id,
  p.step,
  p.phase,
  p.dur,
  p.dur / nullif(s.dur, 0) AS period_share,
  p.computing,
  p.waiting,
  p.moving,
  p.idle,
  p.computing / nullif(p.dur, 0) AS busy_share,
  p.main_cause
FROM summed AS p
LEFT JOIN step AS s ON s.rank = p.rank AND s.step = p.step
ORDER BY
  p.rank,
  s.ts,
  p.step,
  p.device_id,
  list_position(
    [
      'lead_in', 'forward', 'prefill', 'decode', 'mixed', 'body', 'backward',
      'optimizer', 'tail'
    ],
    p.phase
  )
