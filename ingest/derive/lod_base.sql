-- table: lod
-- about: The finest cells: busy time without double counting, slices that start
--        there, and the slice with the most time of its own.
WITH reach AS (
  SELECT
    slice_id, track_id, ts, ts + dur AS end_ts,
    max(ts + dur) OVER (
      PARTITION BY track_id ORDER BY slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached
  FROM placed
  WHERE dur > 0 AND ts >= $ts
), numbered AS (
  SELECT
    *,
    sum((reached IS NULL OR ts > reached)::BIGINT) OVER (
      PARTITION BY track_id ORDER BY slice_id ROWS UNBOUNDED PRECEDING
    ) AS island
  FROM reach
), islands AS (
  SELECT track_id, min(ts) AS ts, max(end_ts) AS end_ts
  FROM numbered
  GROUP BY track_id, island
), busy_parts AS (
  SELECT
    track_id, ts, end_ts,
    unnest(range(ts >> $level, ((end_ts - 1) >> $level) + 1)) AS bucket
  FROM islands
), busy AS (
  SELECT
    track_id,
    bucket,
    sum(
      least(end_ts - bucket * $cell, $cell) - greatest(ts - bucket * $cell, 0)
    )::BIGINT AS busy
  FROM busy_parts
  GROUP BY track_id, bucket
), own_parts AS (
  SELECT
    track_id, slice_id, ts, end_ts,
    unnest(range(ts >> $level, ((end_ts - 1) >> $level) + 1)) AS bucket
  FROM segment
  WHERE ts >= $ts
), own AS (
  SELECT
    track_id,
    bucket,
    slice_id,
    sum(
      least(end_ts - bucket * $cell, $cell) - greatest(ts - bucket * $cell, 0)
    )::BIGINT AS own
  FROM own_parts
  GROUP BY track_id, bucket, slice_id
), top AS (
  SELECT
    track_id, bucket,
    arg_max(slice_id, (own, -slice_id)) AS top_slice_id,
    max(own) AS top_own
  FROM own
  GROUP BY track_id, bucket
), starting AS (
  SELECT
    track_id, ts >> $level AS bucket, count(*) AS count,
    min(slice_id) AS first_slice_id
  FROM placed
  WHERE ts >= $ts
  GROUP BY track_id, bucket
)
SELECT
  coalesce(b.track_id, s.track_id) AS track_id,
  $level::SMALLINT AS level,
  coalesce(b.bucket, s.bucket) AS bucket,
  coalesce(b.busy, 0) AS busy,
  coalesce(s.count, 0) AS count,
  coalesce(t.top_slice_id, s.first_slice_id) AS top_slice_id,
  coalesce(t.top_own, 0) AS top_own
FROM busy AS b
FULL JOIN starting AS s ON b.track_id = s.track_id AND b.bucket = s.bucket
LEFT JOIN top AS t ON b.track_id = t.track_id AND b.bucket = t.bucket
