-- title:   Cells of lanes
-- about:   What the question cells answers of a window, a row of the timeline
--          in one row of lists, which is read in a tenth of the time.
-- param:   level INTEGER    a cell is 2^level ns wide; one that is stored
-- param:   from_ts BIGINT   start of the window, ns
-- param:   to_ts BIGINT     end of the window (exclusive), ns
-- param:   tracks VARCHAR   these lanes: track_ids with commas
-- needs:   lod, lane_part
WITH wanted AS (
  SELECT unnest(string_split($tracks, ',')::BIGINT[]) AS track_id
), parted AS (
  SELECT track_id
  FROM lane_part
  WHERE part IS NOT NULL
)
SELECT
  track_id,
  part,
  list(bucket) AS buckets,
  list(busy) AS busy,
  list(count) AS counts,
  list(top_class) AS classes
FROM lod
WHERE level = $level
  AND bucket >= $from_ts >> $level
  AND bucket <= ($to_ts - 1) >> $level
  AND track_id IN (FROM wanted)
  AND (part IS NOT NULL) = (track_id IN (FROM parted))
GROUP BY track_id, part
