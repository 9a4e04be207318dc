-- table: nesting_guess
-- about: Depth and parent of every slice as if slices only nest. How many are
--        open at a slice's start is counted, not searched; where the parent
--        found so does not hold the slice, slices overlap only partly and
--        "sound" is false.
WITH ends AS (
  SELECT
    track_id,
    ts + dur AS end_ts,
    count(*) OVER (PARTITION BY track_id ORDER BY ts + dur) AS ended
  FROM placed
  WHERE dur > 0
), begun AS (
  SELECT
    slice_id,
    track_id,
    ts,
    dur,
    -- An instant at the very end of a slice still belongs to it.
    CASE WHEN dur = 0 THEN ts - 1 ELSE ts END AS probe,
    -- A sum of ones: a filtered count takes a hundred times longer here.
    sum((dur > 0)::BIGINT) OVER (
      PARTITION BY track_id ORDER BY slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS started
  FROM placed
), counted AS (
  SELECT b.*, coalesce(b.started, 0)::BIGINT - coalesce(e.ended, 0) AS depth
  FROM begun AS b
  ASOF LEFT JOIN ends AS e
    ON b.track_id = e.track_id AND b.probe >= e.end_ts
), parents AS (
  SELECT track_id, depth, slice_id, ts + dur AS end_ts
  FROM counted
  WHERE dur > 0
)
SELECT
  c.slice_id,
  c.track_id,
  c.ts,
  c.dur,
  c.depth,
  p.slice_id AS parent_id,
  c.depth = 0 OR coalesce(p.end_ts >= c.ts + c.dur, false) AS sound
FROM counted AS c
ASOF LEFT JOIN parents AS p
  ON c.track_id = p.track_id
  AND c.depth - 1 = p.depth
  AND c.slice_id > p.slice_id
