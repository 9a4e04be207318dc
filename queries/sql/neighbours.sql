-- title:   Neighbours of a slice
-- about:   The slices before and after one on its lane and at its depth, with
--          the time between: gap_ns is from the end of the slice before to the
--          start of this one, negative where they overlap.
-- param:   slice_id BIGINT   the slice, which gets position 0
-- param:   count BIGINT = 5  so many before and so many after
-- columns: position BIGINT, slice_id BIGINT, ts BIGINT, dur BIGINT,
--          gap_ns BIGINT, name VARCHAR, class VARCHAR
-- needs:   slice
WITH centre AS (
  SELECT track_id, depth, ts, slice_id
  FROM slice
  WHERE slice_id = $slice_id
), lane AS (
  SELECT s.slice_id, s.ts, s.dur, s.name, s.class
  FROM slice AS s
  WHERE s.track_id = (SELECT track_id FROM centre)
    AND s.depth = (SELECT depth FROM centre)
), around AS (
  -- One more than asked for: the first row has something before it, too.
  SELECT *
  FROM (
    SELECT *
    FROM lane
    WHERE (ts, slice_id)
      < ((SELECT ts FROM centre), (SELECT slice_id FROM centre))
    ORDER BY ts DESC, slice_id DESC
    LIMIT $count + 1
  )
  UNION ALL
  SELECT *
  FROM (
    SELECT *
    FROM lane
    WHERE (ts, slice_id)
      >= ((SELECT ts FROM centre), (SELECT slice_id FROM centre))
    ORDER BY ts, slice_id
    LIMIT $count + 1
  )
), numbered AS (
  SELECT
    *,
    row_number() OVER (ORDER BY ts, slice_id) AS place,
    ts - lag(ts + dur) OVER (ORDER BY ts, slice_id) AS gap_ns
  FROM around
)
SELECT
  n.place - c.place AS position,
  n.slice_id,
  n.ts,
  n.dur,
  n.gap_ns,
  n.name,
  n.class
FROM numbered AS n
CROSS JOIN (SELECT place FROM numbered WHERE slice_id = $slice_id) AS c
WHERE $count IS NULL
  OR abs(n.place - c.place) <= $count
ORDER BY n.place
