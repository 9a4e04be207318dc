-- title:   Gaps
-- about:   Intervals between two device tasks in which nothing of a kind runs,
--          longest first. period_share is of the period that holds the gap's
--          middle; cause is what takes most of the gap.
-- param:   rank INTEGER = NULL      only this rank
-- param:   step INTEGER = NULL      only gaps whose middle is in this step
-- param:   kind VARCHAR = 'device' of device|compute  no work, or no kernel
-- param:   cause VARCHAR = NULL     only gaps of this cause
-- param:   min_dur BIGINT = NULL    only gaps at least so long, ns
-- param:   from_ts BIGINT = NULL    only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL      only what begins before this instant, ns
-- param:   limit BIGINT = NULL      so many rows
-- columns: gap_id BIGINT, rank INTEGER, device_id INTEGER, kind VARCHAR,
--          step INTEGER, ts BIGINT, dur BIGINT, wait_ns BIGINT,
--          idle_ns BIGINT, period_share DOUBLE, cause VARCHAR,
--          inferred BOOLEAN, evidence_slice_id BIGINT,
--          step_boundary BOOLEAN, prev_slice_id BIGINT, prev_name VARCHAR,
--          next_slice_id BIGINT, next_name VARCHAR
-- needs:   gap, step, slice
WITH picked AS (
  SELECT *
  FROM gap
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($kind IS NULL OR kind = $kind)
    AND ($cause IS NULL OR cause = $cause)
    AND ($min_dur IS NULL OR dur >= $min_dur)
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  ORDER BY dur DESC, gap_id
  LIMIT $limit
)
FROM gap_rows('picked')
ORDER BY dur DESC, gap_id
