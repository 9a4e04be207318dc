-- title:   Cells of the timeline
-- about:   Busy time of each row of the timeline in cells of 2^level ns on the
--          absolute grid (bucket = ts >> level), for cells that overlap the
--          window. Exact at every level from the finest stored one on; none
--          below, where fine_cells answers. top is the slice with the most
--          time of its own; where only finer cells are stored, that of the
--          busiest of them.
-- param:   level INTEGER           a cell is 2^level ns wide
-- param:   from_ts BIGINT = NULL   start of the window, ns
-- param:   to_ts BIGINT = NULL     end of the window (exclusive), ns
-- param:   tracks VARCHAR = NULL   only these lanes: track_ids with commas
-- param:   whole BOOLEAN = FALSE   streams and planes as one row each
-- columns: track_id BIGINT, part VARCHAR, bucket BIGINT, busy BIGINT,
--          count BIGINT, top_slice_id BIGINT, top_name VARCHAR,
--          top_class VARCHAR
-- needs:   lod, lane_part, slice
WITH wanted AS (
  SELECT unnest(string_split($tracks, ',')::BIGINT[]) AS track_id
), parted AS (
  SELECT track_id
  FROM lane_part
  WHERE part IS NOT NULL
    AND $whole IS NOT TRUE
), cell AS (
  SELECT track_id, part, bucket, busy, count, top_slice_id, top_class
  FROM lod
  WHERE level = $level
    AND ($from_ts IS NULL OR bucket >= $from_ts >> $level)
    AND ($to_ts IS NULL OR bucket <= ($to_ts - 1) >> $level)
  UNION ALL
  SELECT
    l.track_id,
    l.part,
    l.bucket >> ($level - l.level) AS bucket,
    sum(l.busy)::BIGINT AS busy,
    sum(l.count)::BIGINT AS count,
    arg_max(l.top_slice_id, (l.busy, -l.bucket)) AS top_slice_id,
    arg_max(l.top_class, (l.busy, -l.bucket)) AS top_class
  FROM lod AS l
  JOIN lane_part AS p
    ON p.track_id = l.track_id
    AND p.part IS NOT DISTINCT FROM l.part
    AND p.coarsest = l.level
  WHERE p.coarsest < $level
    AND ($from_ts IS NULL
      OR l.bucket >> ($level - l.level) >= $from_ts >> $level)
    AND ($to_ts IS NULL
      OR l.bucket >> ($level - l.level) <= ($to_ts - 1) >> $level)
  GROUP BY l.track_id, l.part, l.bucket >> ($level - l.level)
)
SELECT
  c.track_id,
  c.part,
  c.bucket,
  c.busy,
  c.count,
  c.top_slice_id,
  s.name AS top_name,
  c.top_class
FROM cell AS c
LEFT JOIN slice AS s ON s.slice_id = c.top_slice_id
WHERE ($tracks IS NULL OR c.track_id IN (FROM wanted))
  AND (c.part IS NOT NULL) = (c.track_id IN (FROM parted))
ORDER BY c.track_id, c.part, c.bucket
