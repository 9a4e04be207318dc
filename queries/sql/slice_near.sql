-- title:   The next slice
-- about:   The slice that begins next after a slice or an instant, or last
--          before it: on a lane, on one part or depth of it, of one name. Of
--          slices that begin at once the one with the lower slice_id is first.
-- param:   ts BIGINT                the instant, ns, or the start of the slice
-- param:   slice_id BIGINT = NULL   the slice; else what begins at ts is passed
-- param:   forward BOOLEAN = TRUE   the next one; FALSE for the one before
-- param:   track_id BIGINT = NULL   only this lane
-- param:   part VARCHAR = NULL of
--          cube|vector|compute|transfer|waiting|control  only this part
-- param:   depth INTEGER = NULL     only this depth
-- param:   name VARCHAR = NULL      only slices of this name
-- param:   rank INTEGER = NULL      only this rank
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
WHERE ($track_id IS NULL OR track_id = $track_id)
  AND ($part IS NULL OR part = $part)
  AND ($depth IS NULL OR depth = $depth)
  AND ($name IS NULL OR name = $name)
  AND ($rank IS NULL OR rank = $rank)
  AND CASE
    WHEN $forward IS FALSE
      THEN ts <= $ts AND (ts < $ts OR slice_id < $slice_id)
    ELSE ts >= $ts AND (ts > $ts OR slice_id > $slice_id)
  END
ORDER BY
  CASE WHEN $forward IS FALSE THEN -ts ELSE ts END,
  CASE WHEN $forward IS FALSE THEN -slice_id ELSE slice_id END
LIMIT 1
