-- title:   Why the device does not work
-- about:   Idle and waiting time by cause, stage of the host or place, most
--          time first; or by what came next or asked for it: by is cause,
--          operator (the task that ends the silence), call (the slice that
--          shows the cause) or line (the innermost line of Python). stall_share
--          is of all time without work here, per_step the total over all steps,
--          whether it is in them or not; inferred_ns is a conclusion, the rest
--          a link. Of a range of time only what lies in it counts, and shares
--          are of what lies in it of the steps.
-- param:   by VARCHAR = 'cause' of cause|operator|call|line  what is summed
-- param:   rank INTEGER = NULL    only this rank
-- param:   step INTEGER = NULL    only this step
-- param:   state VARCHAR = NULL of
--          idle|waiting_event|waiting_peer|waiting_stage  only this state
-- param:   cause VARCHAR = NULL   only this cause
-- param:   place VARCHAR = NULL of lead_in|between|tail  only this place
-- param:   from_ts BIGINT = NULL  only from this instant on, ns
-- param:   to_ts BIGINT = NULL    only before this instant, ns
-- param:   limit BIGINT = NULL    so many rows
-- columns: rank INTEGER, device_id INTEGER, state VARCHAR, place VARCHAR,
--          cause VARCHAR, stage VARCHAR, name VARCHAR, count BIGINT,
--          total BIGINT, p50 BIGINT, p95 BIGINT, longest BIGINT,
--          per_step BIGINT, period_share DOUBLE, stall_share DOUBLE,
--          inferred_ns BIGINT, longest_ts BIGINT, evidence_slice_id BIGINT
-- needs:   stall, step, slice
WITH steps AS (
  SELECT
    rank,
    count(*) AS steps,
    sum(
      least(ts + dur, coalesce($to_ts, ts + dur))
        - greatest(ts, coalesce($from_ts, ts))
    )::BIGINT AS dur
  FROM step
  WHERE ts IS NOT NULL
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank
), picked AS (
  SELECT * REPLACE (
    greatest(ts, coalesce($from_ts, ts)) AS ts,
    least(ts + dur, coalesce($to_ts, ts + dur))
      - greatest(ts, coalesce($from_ts, ts)) AS dur
  )
  FROM stall
  WHERE step IS NOT NULL
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($state IS NULL OR state = $state)
    AND ($cause IS NULL OR cause = $cause)
    AND ($place IS NULL OR place = $place)
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
), marked AS (
  SELECT
    *,
    CASE $by
      WHEN 'operator' THEN next_slice_id
      WHEN 'call' THEN evidence_slice_id
      WHEN 'line' THEN line_slice_id
    END AS slice_id
  FROM picked
), named AS (
  SELECT m.*, s.name
  FROM marked AS m
  LEFT JOIN (
    -- By cause nothing is named: no slice is looked at then.
    SELECT slice_id, name FROM slice WHERE $by <> 'cause'
  ) AS s ON s.slice_id = m.slice_id
), grouped AS (
  SELECT
    rank,
    device_id,
    state,
    CASE WHEN $by = 'cause' THEN place END AS place,
    cause,
    CASE WHEN $by = 'cause' THEN stage END AS stage,
    name,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    -- Both in one pass.
    quantile_disc(dur, '[0.5, 0.95]'::DOUBLE[]) AS spread,
    max(dur) AS longest,
    coalesce(sum(dur) FILTER (inferred), 0)::BIGINT AS inferred_ns,
    arg_max(ts, by_length(dur, ts)) AS longest_ts,
    arg_max(evidence_slice_id, by_length(dur, ts)) AS evidence_slice_id
  FROM named
  GROUP BY ALL
)
SELECT
  g.rank,
  g.device_id,
  g.state,
  g.place,
  g.cause,
  g.stage,
  g.name,
  g.count,
  g.total,
  g.spread[1] AS p50,
  g.spread[2] AS p95,
  g.longest,
  (g.total // nullif(s.steps, 0))::BIGINT AS per_step,
  g.total / nullif(s.dur, 0) AS period_share,
  g.total / nullif(
    sum(g.total) OVER (PARTITION BY g.rank, g.device_id), 0
  ) AS stall_share,
  g.inferred_ns,
  g.longest_ts,
  g.evidence_slice_id
FROM grouped AS g
LEFT JOIN steps AS s ON s.rank = g.rank
ORDER BY
  g.total DESC, g.rank, g.device_id, g.state, g.place, g.cause, g.stage, g.name
LIMIT $limit
