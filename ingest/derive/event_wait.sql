-- table: event_wait
-- about: Every wait of a stream, with what it waited for. A chain of waits is
--        followed to the stream that was not held itself; it goes back in time,
--        and after 32 waits it counts as not known.
WITH RECURSIVE follow AS (
  SELECT slice_id, slice_id AS at_slice_id, 1 AS depth
  FROM event_link
  UNION ALL
  SELECT f.slice_id, e.held_slice_id, f.depth + 1
  FROM follow AS f
  JOIN event_link AS e ON f.at_slice_id = e.slice_id
  WHERE e.held_slice_id IS NOT NULL AND f.depth < 32
), reached AS (
  SELECT slice_id, max(depth) AS depth, arg_max(at_slice_id, depth) AS at_slice_id
  FROM follow
  GROUP BY slice_id
), producing AS (
  -- The last task before the stream went on: of a wait that no record is known
  -- for nothing is told.
  SELECT
    r.slice_id,
    r.depth,
    CASE WHEN e.held_slice_id IS NULL THEN e.producer_slice_id END AS task_slice_id
  FROM reached AS r
  LEFT JOIN event_link AS e ON r.at_slice_id = e.slice_id
), planes AS (
  SELECT l.device_id, p.stream_id, min(l.group_name) AS group_name
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'plane' AND p.stream_id IS NOT NULL
  GROUP BY l.device_id, p.stream_id
  HAVING count(DISTINCT l.group_name) = 1
), exchanged AS (
  -- What a stream did for a collective.
  SELECT g.slice_id, l.device_id, n.group_name, p.ts
  FROM producing AS g
  JOIN placed AS p ON g.task_slice_id = p.slice_id
  JOIN lane AS l USING (track_id)
  JOIN communication_stream AS c
    ON l.device_id IS NOT DISTINCT FROM c.device_id
    AND l.stream_id = c.stream_id
  LEFT JOIN planes AS n
    ON l.device_id IS NOT DISTINCT FROM n.device_id
    AND l.stream_id = n.stream_id
), opened AS (
  SELECT p.slice_id, l.device_id, l.group_name, p.ts, p.ts + p.dur AS end_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'group'
), collective_root AS (
  SELECT e.slice_id, o.slice_id AS collective_slice_id
  FROM exchanged AS e
  ASOF JOIN opened AS o
    ON e.device_id IS NOT DISTINCT FROM o.device_id
    AND e.group_name = o.group_name
    AND e.ts >= o.ts
  WHERE e.ts <= o.end_ts
  UNION ALL
  SELECT e.slice_id, o.slice_id
  FROM exchanged AS e
  ASOF JOIN opened AS o
    ON e.device_id IS NOT DISTINCT FROM o.device_id AND e.ts >= o.ts
  WHERE e.group_name IS NULL AND e.ts <= o.end_ts
)
SELECT
  w.slice_id,
  $rank::INTEGER AS rank,
  w.device_id,
  w.kind,
  e.record_slice_id,
  e.producer_slice_id,
  e.held_slice_id,
  coalesce(c.collective_slice_id, p.task_slice_id) AS root_slice_id,
  p.depth,
  d.waiting_ns AS exposed_ns,
  CASE WHEN e.slice_id IS NOT NULL THEN true END AS inferred
FROM event_mark AS w
LEFT JOIN event_link AS e USING (slice_id)
LEFT JOIN producing AS p USING (slice_id)
LEFT JOIN collective_root AS c USING (slice_id)
LEFT JOIN exposed AS d USING (slice_id)
WHERE w.waits
ORDER BY w.slice_id
