-- table: lane_row
-- about: Every lane and part of a lane that has slices, and derived lanes, with
--        what stands on them as a whole.
WITH counted AS (
  SELECT
    track_id,
    part,
    count(*) AS slices,
    max(depth) AS deepest,
    (max(sublane) + 1)::INTEGER AS sublanes,
    min(ts) FILTER (ts >= $ts) AS ts,
    max(end_ts) FILTER (ts >= $ts) AS end_ts
  FROM slice
  GROUP BY track_id, part
), rows AS (
  FROM counted
  WHERE part IS NOT NULL
  UNION ALL
  SELECT
    track_id,
    NULL,
    sum(slices)::BIGINT,
    max(deepest),
    max(sublanes),
    min(ts),
    max(end_ts)
  FROM counted
  GROUP BY track_id
  UNION ALL
  SELECT track_id, NULL, 0, NULL, NULL, min(ts), max(end_ts)
  FROM stretch
  GROUP BY track_id
), spent AS (
  SELECT track_id, part, sum(busy)::BIGINT AS busy
  FROM lod_cell
  WHERE level = $coarsest
  GROUP BY track_id, part
)
SELECT r.*, coalesce(b.busy, 0) AS busy
FROM rows AS r
LEFT JOIN spent AS b
  ON r.track_id = b.track_id AND r.part IS NOT DISTINCT FROM b.part
