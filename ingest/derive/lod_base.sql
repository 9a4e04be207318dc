-- table: lod
-- about: The finest cells of each lane and of each part of it: busy time
--        without double counting, slices that start there, and the slice with
--        the most time of its own.
WITH standing AS (
  SELECT track_id, NULL AS part, slice_id, ts, end_ts
  FROM slice
  WHERE ts >= $ts
  UNION ALL
  SELECT track_id, part, slice_id, ts, end_ts
  FROM slice
  WHERE ts >= $ts AND part IS NOT NULL
), fresh AS (
  -- Of each slice what no earlier one covers: these do not overlap.
  SELECT
    track_id, part, slice_id, end_ts,
    greatest(ts, max(end_ts) OVER (
      PARTITION BY track_id, part ORDER BY slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )) AS ts
  FROM standing
  WHERE end_ts > ts
  UNION ALL
  SELECT track_id, NULL AS part, NULL AS slice_id, end_ts, ts FROM stretch
), busy_parts AS (
  SELECT
    track_id, part, slice_id, ts, end_ts,
    unnest(range(ts >> $finest, ((end_ts - 1) >> $finest) + 1)) AS bucket
  FROM fresh
  WHERE end_ts > ts
), busy AS (
  SELECT
    track_id,
    part,
    bucket,
    sum(
      least(end_ts - bucket * $cell, $cell) - greatest(ts - bucket * $cell, 0)
    )::BIGINT AS busy,
    min(slice_id) AS first_slice_id
  FROM busy_parts
  GROUP BY track_id, part, bucket
), own_parts AS (
  SELECT
    track_id, slice_id, ts, end_ts,
    unnest(range(ts >> $finest, ((end_ts - 1) >> $finest) + 1)) AS bucket
  FROM segment
  -- A slice before the start of the trace may reach into it.
  ANTI JOIN (SELECT slice_id FROM placed WHERE ts < $ts) USING (slice_id)
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
), own_in_part AS (
  SELECT track_id, NULL AS part, bucket, slice_id, own FROM own
  UNION ALL
  SELECT o.track_id, p.part, o.bucket, o.slice_id, o.own
  FROM own AS o
  JOIN part AS p USING (slice_id)
), top AS (
  SELECT
    track_id, part, bucket,
    arg_max(slice_id, (own, -slice_id)) AS top_slice_id,
    max(own) AS top_own
  FROM own_in_part
  GROUP BY track_id, part, bucket
), starting AS (
  SELECT
    track_id, part, ts >> $finest AS bucket, count(*) AS count,
    min(slice_id) AS first_slice_id
  FROM standing
  GROUP BY track_id, part, bucket
  UNION ALL
  SELECT track_id, NULL, ts >> $finest, count(*), NULL
  FROM stretch
  GROUP BY track_id, ts >> $finest
), known AS (
  SELECT track_id, part, bucket, busy, first_slice_id FROM busy
  UNION ALL BY NAME
  SELECT track_id, part, bucket, count, first_slice_id FROM starting
  UNION ALL BY NAME
  SELECT track_id, part, bucket, top_slice_id, top_own FROM top
)
SELECT
  track_id,
  part,
  $finest::SMALLINT AS level,
  bucket,
  coalesce(any_value(busy), 0) AS busy,
  coalesce(any_value(count), 0) AS count,
  -- In a part all time of a slice may be that of slices nested in it.
  coalesce(any_value(top_slice_id), min(first_slice_id)) AS top_slice_id,
  coalesce(any_value(top_own), 0) AS top_own
FROM known
GROUP BY track_id, part, bucket
