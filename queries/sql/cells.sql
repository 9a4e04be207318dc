-- title:   Cells of the timeline
-- about:   Busy time of each lane in cells of 2^level ns on the absolute grid
--          (bucket = ts >> level), for cells that overlap the window. Exact at
--          every level from the finest stored one on; none below. top is the
--          slice with the most time of its own; where only finer cells are
--          stored, that of the busiest of them.
-- param:   level INTEGER           a cell is 2^level ns wide
-- param:   from_ts BIGINT = NULL   start of the window, ns
-- param:   to_ts BIGINT = NULL     end of the window (exclusive), ns
-- param:   track_id BIGINT = NULL  only this lane
-- columns: track_id BIGINT, bucket BIGINT, busy BIGINT, count BIGINT,
--          top_slice_id BIGINT, top_name VARCHAR, top_class VARCHAR
-- needs:   lod, slice
WITH stored AS (
  SELECT track_id, bucket, busy, count, top_slice_id, top_class
  FROM lod
  WHERE level = $level
    AND ($from_ts IS NULL OR bucket >= $from_ts >> $level)
    AND ($to_ts IS NULL OR bucket <= ($to_ts - 1) >> $level)
    AND ($track_id IS NULL OR track_id = $track_id)
), coarsest AS (
  -- Per rank, whose number the high bits of a lane are.
  SELECT track_id >> 40 AS ordinal, max(level) AS level
  FROM lod
  GROUP BY track_id >> 40
  HAVING max(level) < $level
), merged AS (
  SELECT
    l.track_id,
    l.bucket >> ($level - l.level) AS bucket,
    sum(l.busy)::BIGINT AS busy,
    sum(l.count)::BIGINT AS count,
    arg_max(l.top_slice_id, (l.busy, -l.bucket)) AS top_slice_id,
    arg_max(l.top_class, (l.busy, -l.bucket)) AS top_class
  FROM lod AS l
  JOIN coarsest AS c
    ON c.ordinal = l.track_id >> 40
    AND c.level = l.level
  WHERE ($track_id IS NULL OR l.track_id = $track_id)
  GROUP BY l.track_id, l.bucket >> ($level - l.level)
), cell AS (
  SELECT * FROM stored
  UNION ALL
  SELECT *
  FROM merged
  WHERE ($from_ts IS NULL OR bucket >= $from_ts >> $level)
    AND ($to_ts IS NULL OR bucket <= ($to_ts - 1) >> $level)
)
SELECT
  c.track_id,
  c.bucket,
  c.busy,
  c.count,
  c.top_slice_id,
  s.name AS top_name,
  c.top_class
FROM cell AS c
LEFT JOIN slice AS s ON s.slice_id = c.top_slice_id
ORDER BY c.track_id, c.bucket
