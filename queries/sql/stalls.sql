-- title:   Stalls
-- about:   Stretches in which a device does not work, each with one cause and
--          the slice that shows it, longest first. line is the innermost line
--          of Python that asked for the next task.
-- param:   rank INTEGER = NULL    only this rank
-- param:   step INTEGER = NULL    only this step
-- param:   state VARCHAR = NULL of
--          idle|waiting_event|waiting_peer|waiting_stage  only this state
-- param:   cause VARCHAR = NULL   only this cause
-- param:   gap_id BIGINT = NULL   only in this gap of kind device
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL    only what begins before this instant, ns
-- param:   limit BIGINT = NULL    so many rows
-- columns: stall_id BIGINT, rank INTEGER, device_id INTEGER, step INTEGER,
--          state VARCHAR, place VARCHAR, ts BIGINT, dur BIGINT,
--          period_share DOUBLE, cause VARCHAR, stage VARCHAR,
--          inferred BOOLEAN, evidence_slice_id BIGINT,
--          evidence_name VARCHAR, line_slice_id BIGINT, line VARCHAR,
--          next_slice_id BIGINT, next_name VARCHAR, peer INTEGER,
--          gap_id BIGINT
-- needs:   stall, step, slice
WITH picked AS (
  SELECT *
  FROM stall
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($state IS NULL OR state = $state)
    AND ($cause IS NULL OR cause = $cause)
    AND ($gap_id IS NULL OR gap_id = $gap_id)
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  ORDER BY dur DESC, stall_id
  LIMIT $limit
), named AS MATERIALIZED (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, name
  FROM slice
  WHERE slice_id IN (
    SELECT unnest([evidence_slice_id, line_slice_id, next_slice_id])
    FROM picked
  )
)
SELECT
  s.stall_id,
  s.rank,
  s.device_id,
  s.step,
  s.state,
  s.place,
  s.ts,
  s.dur,
  s.dur / nullif(p.dur, 0) AS period_share,
  s.cause,
  s.stage,
  s.inferred,
  s.evidence_slice_id,
  e.name AS evidence_name,
  s.line_slice_id,
  l.name AS line,
  s.next_slice_id,
  n.name AS next_name,
  s.peer,
  s.gap_id
FROM picked AS s
LEFT JOIN step AS p ON p.rank = s.rank AND p.step = s.step
LEFT JOIN named AS e ON e.slice_id = s.evidence_slice_id
LEFT JOIN named AS l ON l.slice_id = s.line_slice_id
LEFT JOIN named AS n ON n.slice_id = s.next_slice_id
ORDER BY s.dur DESC, s.stall_id
