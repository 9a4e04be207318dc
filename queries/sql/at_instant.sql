-- title:   Slices at an instant
-- about:   The slices that overlap a short time, such as the cell under a
--          cursor, longest first.
-- param:   from_ts BIGINT          start of the time, ns
-- param:   to_ts BIGINT            end of the time (exclusive), ns
-- param:   track_id BIGINT = NULL  only this lane
-- param:   part VARCHAR = NULL of
--          cube|vector|compute|transfer|waiting|control  only this part
-- param:   limit BIGINT = 50       so many rows
-- columns: slice_id BIGINT, rank INTEGER, track_id BIGINT, part VARCHAR,
--          ts BIGINT, dur BIGINT, depth INTEGER, sublane INTEGER,
--          name VARCHAR, class VARCHAR, step INTEGER
-- needs:   slice
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
  AND ($track_id IS NULL OR track_id = $track_id)
  AND ($part IS NULL OR part = $part)
ORDER BY dur DESC, slice_id
LIMIT $limit
