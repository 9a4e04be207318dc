-- table: event_pair
-- about: Each wait that a record ended, with that record: one of another stream
--        that was launched earlier and ended while the wait ran, at most 2 us
--        before its end. Nothing in the files joins the two; on a 910B all of 30
--        waits ended 380 to 520 ns after such a record. Where records of several
--        streams come into question it cannot be told; of one stream's the first
--        counts, since what follows it is as much its own.
WITH records AS (
  -- Of a crowd a wait cannot be told apart: 17 of it are enough to see that.
  SELECT *, end_ts >> 11 AS bucket
  FROM event_mark
  WHERE NOT waits
  QUALIFY row_number() OVER (
    PARTITION BY device_id, kind, end_ts >> 11 ORDER BY slice_id
  ) <= 17
), crowds AS (
  SELECT device_id, kind, bucket
  FROM records
  GROUP BY device_id, kind, bucket
  HAVING count(*) > 16
), waits AS (
  SELECT *, unnest([end_ts >> 11, (end_ts >> 11) - 1]) AS bucket
  FROM event_mark
  WHERE waits AND end_ts > ts
), found AS (
  SELECT
    w.slice_id,
    min(r.track_id) AS track_id,
    count(DISTINCT r.track_id) AS streams,
    arg_min(r.slice_id, (r.end_ts, r.slice_id)) AS record_slice_id
  FROM waits AS w
  JOIN records AS r
    ON w.device_id IS NOT DISTINCT FROM r.device_id
    AND w.kind = r.kind
    AND w.bucket = r.bucket
    AND w.track_id <> r.track_id
    AND r.end_ts > w.ts
    AND r.end_ts BETWEEN w.end_ts - 2048 AND w.end_ts
    AND (r.launch_ts > w.launch_ts) IS NOT TRUE
  GROUP BY w.slice_id
)
SELECT f.slice_id, f.track_id, f.record_slice_id, r.ts AS record_ts
FROM found AS f
JOIN event_mark AS r ON f.record_slice_id = r.slice_id
WHERE f.streams = 1
  AND f.slice_id NOT IN (
    SELECT w.slice_id
    FROM waits AS w
    JOIN crowds AS c
      ON w.device_id IS NOT DISTINCT FROM c.device_id
      AND w.kind = c.kind
      AND w.bucket = c.bucket
  )
