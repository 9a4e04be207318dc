-- title:   Collective of a slice
-- about:   The collective that a slice is, or whose plane task it is; columns
--          as in collectives.
-- param:   slice_id BIGINT  a slice on a lane of a group or of its planes
-- columns: collective_id BIGINT, slice_id BIGINT, name VARCHAR,
--          "group" VARCHAR, bytes BIGINT, ts BIGINT, dur BIGINT,
--          transfer_ns BIGINT, wait_ns BIGINT, last_peer INTEGER,
--          last_number INTEGER, last_peer_wait_ns BIGINT
-- needs:   collective, peer_arrival, slice, track
WITH one AS (
  SELECT s.slice_id, s.ts, s.end_ts, t.rank, t.device_id, t.group, t.kind
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE s.slice_id = $slice_id
)
SELECT
  c.collective_id,
  c.slice_id,
  c.name,
  c.group,
  c.bytes,
  c.ts,
  c.dur,
  c.transfer_ns,
  c.wait_ns,
  c.last_peer,
  c.last_number,
  (
    SELECT max(p.wait_ns)
    FROM peer_arrival AS p
    WHERE p.collective_id = c.collective_id
      AND p.number = c.last_number
  ) AS last_peer_wait_ns
FROM collective AS c
JOIN one AS o ON o.rank = c.rank
WHERE c.slice_id = o.slice_id
  OR (
    o.kind = 'plane'
    AND o.group = c.group
    AND o.device_id IS NOT DISTINCT FROM c.device_id
    AND o.ts >= c.ts
    AND o.end_ts <= c.ts + c.dur
  )
ORDER BY c.slice_id = o.slice_id DESC, c.ts DESC, c.collective_id
LIMIT 1
