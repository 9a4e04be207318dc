-- Copies of the device outside collectives. Streams that only carry out what
-- collectives do are left out: their tasks count as part of the collective.
WITH exchanging AS (
  SELECT DISTINCT s.track_id
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind = 'stream'
    AND t.rank IN (SELECT rank FROM track WHERE kind = 'group')
    AND s.class IN ('wait', 'sync')
    AND regexp_matches(
      upper(replace(s.task_type, ' ', '_')), '^(NOTIFY_|WRITE_VALUE)'
    )
), computing AS (
  SELECT DISTINCT track_id
  FROM slice
  WHERE track_id IN (SELECT track_id FROM exchanging)
    AND class IN ('compute', 'mc2')
), named AS (
  SELECT DISTINCT t.rank, t.device_id, s.stream_id
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind = 'plane'
    AND s.stream_id IS NOT NULL
), communication_stream AS (
  -- The planes name their streams; without planes it is a stream that
  -- exchanges notifications and computes nothing.
  SELECT t.track_id
  FROM track AS t
  JOIN named AS n
    ON n.rank = t.rank
    AND n.device_id IS NOT DISTINCT FROM t.device_id
    AND n.stream_id = t.stream_id
  WHERE t.kind = 'stream'
  UNION
  SELECT track_id
  FROM exchanging
  WHERE track_id NOT IN (SELECT track_id FROM computing)
)
SELECT
  s.slice_id,
  s.rank,
  t.device_id,
  s.step,
  s.track_id,
  t.stream_id,
  s.task_type,
  s.name,
  s.ts,
  s.dur,
  s.arg_set_id
FROM slice AS s
JOIN track AS t ON t.track_id = s.track_id
WHERE t.kind = 'stream'
  AND s.class = 'copy'
  AND s.track_id NOT IN (SELECT track_id FROM communication_stream)
