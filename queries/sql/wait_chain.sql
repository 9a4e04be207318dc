-- title:   Chain of a wait
-- about:   The waits from one down to its root: each with the record that ended
--          it and the task before that record; the last one has the root. An
--          answer without rows says that the slice is no wait of a stream.
-- param:   slice_id BIGINT  the wait
-- columns: depth INTEGER, slice_id BIGINT, rank INTEGER, track_id BIGINT,
--          stream_id BIGINT, name VARCHAR, ts BIGINT, dur BIGINT,
--          record_slice_id BIGINT, record_stream_id BIGINT,
--          producer_slice_id BIGINT, producer_name VARCHAR,
--          root_slice_id BIGINT, root_name VARCHAR
-- needs:   event_wait, slice, track
WITH RECURSIVE chain AS (
  SELECT 1 AS place, e.*
  FROM event_wait AS e
  WHERE e.slice_id = $slice_id
  UNION ALL
  SELECT c.place + 1, e.*
  FROM chain AS c
  JOIN event_wait AS e ON e.slice_id = c.held_slice_id
), whole AS (
  -- No chain is longer: so slices are looked up and not joined whole.
  FROM chain LIMIT 64
)
SELECT
  c.place AS depth,
  c.slice_id,
  c.rank,
  s.track_id,
  t.stream_id,
  s.name,
  s.ts,
  s.dur,
  c.record_slice_id,
  r.stream_id AS record_stream_id,
  c.producer_slice_id,
  p.name AS producer_name,
  CASE WHEN c.held_slice_id IS NULL THEN c.root_slice_id END AS root_slice_id,
  CASE WHEN c.held_slice_id IS NULL THEN o.name END AS root_name
FROM whole AS c
JOIN slice AS s ON s.slice_id = c.slice_id
JOIN track AS t ON t.track_id = s.track_id
LEFT JOIN slice AS r ON r.slice_id = c.record_slice_id
LEFT JOIN slice AS p ON p.slice_id = c.producer_slice_id
LEFT JOIN slice AS o ON o.slice_id = c.root_slice_id
ORDER BY c.place
