-- title:   Long slices of a window
-- about:   The slices of at least a length that overlap a window of time, row
--          by row of the timeline. Of a row with more than the limit the
--          longest are kept.
-- param:   from_ts BIGINT          start of the window, ns
-- param:   to_ts BIGINT            end of the window (exclusive), ns
-- param:   min_dur BIGINT = 0      only slices at least so long, ns
-- param:   tracks VARCHAR = NULL   only these lanes: track_ids with commas
-- param:   limit BIGINT = 256      so many slices of each row
-- columns: slice_id BIGINT, rank INTEGER, track_id BIGINT, part VARCHAR,
--          ts BIGINT, dur BIGINT, depth INTEGER, sublane INTEGER,
--          name VARCHAR, class VARCHAR, step INTEGER
-- needs:   slice
WITH wanted AS (
  SELECT unnest(string_split($tracks, ',')::BIGINT[]) AS track_id
)
SELECT
  slice_id,
  rank,
  track_id,
  part,
  ts,
  dur,
  depth,
  sublane,
  name,
  class,
  step
FROM slice
WHERE ts < $to_ts
  AND end_ts >= $from_ts
  -- What takes no time overlaps where it stands.
  AND (end_ts > $from_ts OR dur = 0)
  AND ($min_dur IS NULL OR dur >= $min_dur)
  AND ($tracks IS NULL OR track_id IN (FROM wanted))
QUALIFY
  $limit IS NULL
  OR row_number() OVER (
    PARTITION BY track_id, part ORDER BY dur DESC, slice_id
  ) <= $limit
ORDER BY track_id, part, ts, depth, slice_id
