-- title:   Cells of a lane by depth
-- about:   Busy time of one lane in cells of 2^level ns, one depth of nesting
--          after the other; 0 is the outermost call. Worked out from the
--          slices; exact at every level. Cells that overlap the window are
--          given whole.
-- param:   level INTEGER          a cell is 2^level ns wide
-- param:   from_ts BIGINT         start of the window, ns
-- param:   to_ts BIGINT           end of the window (exclusive), ns
-- param:   track_id BIGINT        the lane
-- param:   part VARCHAR = NULL of
--          cube|vector|compute|transfer|waiting|control  only this part of it
-- columns: track_id BIGINT, part VARCHAR, depth INTEGER, bucket BIGINT,
--          busy BIGINT, count BIGINT, top_class VARCHAR
-- needs:   slice
WITH seen AS (
  SELECT
    *,
    -- From here on no slice that began before covers it.
    max(end_ts) OVER (
      PARTITION BY depth ORDER BY ts, slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS fresh_ts
  FROM slice
  WHERE track_id = $track_id
    AND ($part IS NULL OR part = $part)
    AND ts < ((($to_ts - 1) >> $level) + 1) * (1::BIGINT << $level)
    -- What takes no time overlaps where it stands.
    AND (
      end_ts > ($from_ts >> $level) * (1::BIGINT << $level)
      OR ts = ($from_ts >> $level) * (1::BIGINT << $level)
    )
), cut AS (
  SELECT
    *,
    unnest(range(
      greatest(ts >> $level, $from_ts >> $level),
      least(greatest(end_ts - 1, ts) >> $level, ($to_ts - 1) >> $level) + 1
    )) AS bucket,
    bucket * (1::BIGINT << $level) AS cell_ts,
    cell_ts + (1::BIGINT << $level) AS cell_end
  FROM seen
), covered AS (
  SELECT
    *,
    least(end_ts, cell_end) - greatest(ts, cell_ts) AS covered,
    least(end_ts, cell_end) - greatest(ts, cell_ts, fresh_ts) AS fresh
  FROM cut
)
SELECT
  $track_id::BIGINT AS track_id,
  $part::VARCHAR AS part,
  depth,
  bucket,
  coalesce(sum(fresh) FILTER (fresh > 0), 0)::BIGINT AS busy,
  count(*) FILTER (ts >= cell_ts) AS count,
  arg_max(class, (covered, -slice_id)) AS top_class
FROM covered
GROUP BY depth, bucket
ORDER BY depth, bucket
