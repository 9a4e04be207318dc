-- title:   Slices of a window
-- about:   The slices that overlap a window of time (and a margin on both sides
--          of it), lane by lane in time. Of a lane with more than the limit
--          the longest are kept, of one lane 999999 at most; without a limit
--          all rows are sorted in memory.
-- param:   from_ts BIGINT = NULL   start of the window, ns
-- param:   to_ts BIGINT = NULL     end of the window (exclusive), ns
-- param:   margin BIGINT = 0       ns before and after the window
-- param:   track_id BIGINT = NULL  only this lane
-- param:   limit BIGINT = 4096     so many slices of each lane
-- columns: slice_id BIGINT, track_id BIGINT, ts BIGINT, dur BIGINT,
--          depth INTEGER, sublane INTEGER, parent_id BIGINT,
--          name VARCHAR, class VARCHAR, step INTEGER, phase VARCHAR,
--          unfinished BOOLEAN
-- needs:   slice
WITH inside AS NOT MATERIALIZED (
  FROM slice
  WHERE ($track_id IS NULL OR track_id = $track_id)
    AND ($to_ts IS NULL OR ts < $to_ts + coalesce($margin, 0))
    AND ($from_ts IS NULL OR end_ts >= $from_ts - coalesce($margin, 0))
    -- What takes no time overlaps where it stands.
    AND (
      $from_ts IS NULL
      OR end_ts > $from_ts - coalesce($margin, 0)
      OR dur = 0
    )
), longest AS (
  -- So many of each lane are kept in memory, not all that there are.
  SELECT
    unnest(arg_max(
      slice_id, by_length(dur, slice_id), least(greatest($limit, 1), 999999)
    )) AS slice_id
  FROM inside
  WHERE $limit > 0
  GROUP BY track_id
)
SELECT
  slice_id,
  track_id,
  ts,
  dur,
  depth,
  sublane,
  parent_id,
  name,
  class,
  step,
  phase,
  unfinished
FROM inside
WHERE $limit IS NULL OR slice_id IN (FROM longest)
ORDER BY track_id, ts, depth, slice_id
