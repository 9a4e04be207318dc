-- title:   Cells of a close window
-- about:   What cells answers, worked out from the slices themselves: exact at
--          every level, meant for those below the finest stored one. Cells
--          that overlap the window are given whole.
-- param:   level INTEGER           a cell is 2^level ns wide
-- param:   from_ts BIGINT          start of the window, ns
-- param:   to_ts BIGINT            end of the window (exclusive), ns
-- param:   tracks VARCHAR = NULL   only these lanes: track_ids with commas
-- param:   whole BOOLEAN = FALSE   streams and planes as one row each
-- columns: track_id BIGINT, part VARCHAR, bucket BIGINT, busy BIGINT,
--          count BIGINT, top_slice_id BIGINT, top_name VARCHAR,
--          top_class VARCHAR
-- needs:   slice, stretch
WITH wanted AS (
  SELECT unnest(string_split($tracks, ',')::BIGINT[]) AS track_id
), span AS (
  SELECT
    slice_id,
    track_id,
    CASE WHEN $whole IS NOT TRUE THEN part END AS part,
    parent_id,
    ts,
    end_ts,
    name,
    class
  FROM slice
  UNION ALL
  SELECT NULL, track_id, NULL, NULL, ts, end_ts, NULL, NULL
  FROM stretch
), seen AS (
  SELECT
    *,
    -- From here on no slice that began before covers it.
    max(end_ts) OVER (
      PARTITION BY track_id, part ORDER BY ts, slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS fresh_ts
  FROM span
  WHERE ts < ((($to_ts - 1) >> $level) + 1) * (1::BIGINT << $level)
    AND end_ts >= ($from_ts >> $level) * (1::BIGINT << $level)
    -- What takes no time overlaps where it stands.
    AND (
      end_ts > ($from_ts >> $level) * (1::BIGINT << $level)
      OR end_ts = ts
    )
    AND ($tracks IS NULL OR track_id IN (FROM wanted))
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
), nested AS (
  SELECT parent_id, bucket, sum(covered)::BIGINT AS covered
  FROM covered
  GROUP BY parent_id, bucket
), cell AS (
  SELECT
    c.track_id,
    c.part,
    c.bucket,
    sum(c.fresh) FILTER (c.fresh > 0) AS busy,
    count(*) FILTER (c.ts >= c.cell_ts) AS count,
    arg_max(
      struct_pack(slice_id := c.slice_id, name := c.name, class := c.class),
      (c.covered - coalesce(n.covered, 0), -c.slice_id)
    ) AS top
  FROM covered AS c
  LEFT JOIN nested AS n
    ON n.parent_id = c.slice_id
    AND n.bucket = c.bucket
  GROUP BY c.track_id, c.part, c.bucket
)
SELECT
  track_id,
  part,
  bucket,
  coalesce(busy, 0)::BIGINT AS busy,
  count,
  top.slice_id AS top_slice_id,
  top.name AS top_name,
  top.class AS top_class
FROM cell
ORDER BY track_id, part, bucket
