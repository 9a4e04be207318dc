-- table: communication_stream
-- about: Streams whose tasks repeat what the planes of a collective show, so
--        that they count once. The planes name their streams; without planes it
--        is a stream that exchanges notifications and computes nothing.
WITH planes AS (
  SELECT DISTINCT l.device_id, p.stream_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'plane' AND p.stream_id IS NOT NULL
), exchanging AS (
  SELECT l.device_id, l.stream_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN pattern AS m USING (pattern)
  WHERE l.kind = 'stream' AND l.stream_id IS NOT NULL
  GROUP BY l.device_id, l.stream_id
  HAVING bool_or(m.task IN ('NOTIFY_WAIT', 'NOTIFY_RECORD', 'WRITE_VALUE'))
    AND NOT bool_or(p.class IN ('compute', 'mc2'))
)
SELECT DISTINCT device_id, stream_id
FROM (
  FROM planes
  UNION ALL
  FROM exchanging
  WHERE EXISTS (
    FROM placed AS p JOIN lane AS l USING (track_id) WHERE l.kind = 'group'
  )
)
