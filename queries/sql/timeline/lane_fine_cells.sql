-- title:   Cells of lanes, below the finest stored ones
-- about:   What the question fine_cells answers of a window, a row of the
--          timeline in one row of lists. The class of a cell is that of its
--          longest slice.
-- param:   level INTEGER    a cell is 2^level ns wide
-- param:   from_ts BIGINT   start of the window, ns
-- param:   to_ts BIGINT     end of the window (exclusive), ns
-- param:   tracks VARCHAR   these lanes: track_ids with commas
-- needs:   slice, stretch
WITH wanted AS (
  SELECT unnest(string_split($tracks, ',')::BIGINT[]) AS track_id
), edge AS (
  -- Cells are whole: the window is widened to their borders.
  SELECT
    $from_ts >> $level AS first,
    ($to_ts - 1) >> $level AS last
), span AS (
  SELECT track_id, part, ts, end_ts, class
  FROM slice
  WHERE ts < ((SELECT last FROM edge) + 1) * (1::BIGINT << $level)
    AND end_ts >= (SELECT first FROM edge) * (1::BIGINT << $level)
    AND track_id IN (FROM wanted)
  UNION ALL
  SELECT track_id, NULL, ts, ts + dur, NULL
  FROM stretch
  WHERE ts < ((SELECT last FROM edge) + 1) * (1::BIGINT << $level)
    AND ts + dur >= (SELECT first FROM edge) * (1::BIGINT << $level)
    AND track_id IN (FROM wanted)
), seen AS (
  SELECT
    *,
    -- From here on no slice that began before covers it.
    max(end_ts) OVER (
      PARTITION BY track_id, part ORDER BY ts
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS fresh_ts
  FROM span
), cut AS (
  SELECT
    *,
    unnest(range(
      greatest(ts >> $level, (SELECT first FROM edge)),
      least(
        greatest(end_ts - 1, ts) >> $level, (SELECT last FROM edge)
      ) + 1
    )) AS bucket
  FROM seen
), cell AS (
  SELECT
    track_id,
    part,
    bucket,
    sum(greatest(
      least(end_ts, (bucket + 1) * (1::BIGINT << $level))
        - greatest(ts, bucket * (1::BIGINT << $level), coalesce(fresh_ts, ts)),
      0
    ))::BIGINT AS busy,
    count(*) FILTER (ts >= bucket * (1::BIGINT << $level)) AS count,
    arg_max(class, end_ts - ts) AS class
  FROM cut
  GROUP BY track_id, part, bucket
)
SELECT
  track_id,
  part,
  list(bucket) AS buckets,
  list(busy) AS busy,
  list(count) AS counts,
  list(class) AS classes
FROM cell
GROUP BY track_id, part
