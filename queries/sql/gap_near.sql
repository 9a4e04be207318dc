-- title:   The next gap
-- about:   The gap that begins next after an instant, or last before it;
--          columns as in gaps.
-- param:   ts BIGINT                 the instant, ns
-- param:   forward BOOLEAN = TRUE    the next one; FALSE for the one before
-- param:   kind VARCHAR = 'device' of device|compute  no work, or no kernel
-- param:   min_dur BIGINT = NULL     only gaps at least so long, ns
-- param:   rank INTEGER = NULL       only this rank
-- param:   device_id INTEGER = NULL  only this NPU
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
    AND ($device_id IS NULL OR device_id = $device_id)
), near AS (
  SELECT *
  FROM eligible
  WHERE CASE WHEN $forward IS FALSE THEN ts < $ts ELSE ts > $ts END
  ORDER BY
    CASE WHEN $forward IS FALSE THEN -ts ELSE ts END,
    CASE WHEN $forward IS FALSE THEN -gap_id ELSE gap_id END
  LIMIT 1
)
FROM gap_rows('near')
