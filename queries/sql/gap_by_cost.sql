-- title:   The gap next in cost
-- about:   The gap that costs next less than one, or with forward false next
--          more; without a gap the longest one, or the shortest. Cost is the
--          order of the question gaps: longest first. Columns as in gaps.
-- param:   dur BIGINT = NULL         length of the gap to go on from, ns
-- param:   gap_id BIGINT = NULL      that gap, of several of one length
-- param:   forward BOOLEAN = TRUE    the next less; FALSE for the next more
-- param:   kind VARCHAR = 'device' of device|compute  no work, or no kernel
-- param:   min_dur BIGINT = NULL     only gaps at least so long, ns
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only gaps whose middle is in this step
-- columns: gap_id BIGINT, rank INTEGER, device_id INTEGER, kind VARCHAR,
--          step INTEGER, ts BIGINT, dur BIGINT, wait_ns BIGINT,
--          idle_ns BIGINT, period_share DOUBLE, cause VARCHAR,
--          inferred BOOLEAN, evidence_slice_id BIGINT,
--          step_boundary BOOLEAN, prev_slice_id BIGINT, prev_name VARCHAR,
--          next_slice_id BIGINT, next_name VARCHAR
-- needs:   gap, step, slice
WITH eligible AS (
  SELECT *
  FROM gap
  WHERE ($kind IS NULL OR kind = $kind)
    AND ($min_dur IS NULL OR dur >= $min_dur)
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
), ranked AS (
  SELECT *
  FROM eligible
  WHERE $dur IS NULL
    OR CASE
      WHEN $forward IS FALSE THEN (dur, -gap_id) > ($dur, -$gap_id)
      ELSE (dur, -gap_id) < ($dur, -$gap_id)
    END
  ORDER BY
    CASE WHEN $forward IS FALSE THEN dur ELSE -dur END,
    CASE WHEN $forward IS FALSE THEN -gap_id ELSE gap_id END
  LIMIT 1
)
FROM gap_rows('ranked')
