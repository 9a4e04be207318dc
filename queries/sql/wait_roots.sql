-- title:   Roots of waits
-- about:   Waits of streams and what they really waited for, most exposed time
--          first. A wait is followed from the record that ended it to the task
--          before that record; where that stream was held by a wait itself, on
--          to the next (depth counts the waits). The root is a task, or the
--          collective it was part of, and that has a last peer of its own.
--          Files do not join waits and records: that is concluded from their
--          times (inferred), and NULL where it cannot be told. Waits run beside
--          each other: their exposed times are not to be added up.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only this step
-- param:   min_dur BIGINT = 0        only waits of at least this length, ns
-- param:   from_ts BIGINT = NULL     only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL       only what begins before this instant, ns
-- param:   limit BIGINT = NULL       so many rows
-- columns: rank INTEGER, device_id INTEGER, step INTEGER, kind VARCHAR,
--          slice_id BIGINT, track_id BIGINT, stream_id BIGINT, ts BIGINT,
--          dur BIGINT, exposed_ns BIGINT, record_slice_id BIGINT,
--          record_stream_id BIGINT, producer_slice_id BIGINT,
--          producer_name VARCHAR, held_slice_id BIGINT, depth INTEGER,
--          root_slice_id BIGINT, root_track_id BIGINT, root_name VARCHAR,
--          root_ts BIGINT, root_dur BIGINT, collective_id BIGINT,
--          last_peer INTEGER, last_number INTEGER,
--          last_peer_wait_ns BIGINT, inferred BOOLEAN
-- needs:   event_wait, slice, track, step, collective, peer_arrival
WITH waits AS (
  SELECT
    e.*,
    s.track_id,
    t.stream_id,
    s.ts,
    s.dur,
    p.step
  FROM event_wait AS e
  JOIN slice AS s ON s.slice_id = e.slice_id
  JOIN track AS t ON t.track_id = s.track_id
  -- A wait moves no step on: it counts where it began.
  LEFT JOIN step AS p
    ON p.rank = e.rank
    AND s.ts >= p.ts
    AND s.ts < p.ts + p.dur
  WHERE ($rank IS NULL OR e.rank = $rank)
    AND s.dur >= $min_dur
    AND ($step IS NULL OR p.step = $step)
    AND ($from_ts IS NULL OR s.end_ts > $from_ts)
    AND ($to_ts IS NULL OR s.ts < $to_ts)
  ORDER BY e.exposed_ns DESC, s.dur DESC, e.slice_id
  LIMIT $limit
), named AS MATERIALIZED (
  -- One look at the slices for all.
  SELECT slice_id, track_id, stream_id, name, ts, dur
  FROM slice
  WHERE slice_id IN (
    SELECT unnest([record_slice_id, producer_slice_id, root_slice_id])
    FROM waits
  )
)
SELECT
  w.rank,
  w.device_id,
  w.step,
  w.kind,
  w.slice_id,
  w.track_id,
  w.stream_id,
  w.ts,
  w.dur,
  w.exposed_ns,
  w.record_slice_id,
  r.stream_id AS record_stream_id,
  w.producer_slice_id,
  p.name AS producer_name,
  w.held_slice_id,
  w.depth,
  w.root_slice_id,
  o.track_id AS root_track_id,
  o.name AS root_name,
  o.ts AS root_ts,
  o.dur AS root_dur,
  c.collective_id,
  c.last_peer,
  c.last_number,
  a.wait_ns AS last_peer_wait_ns,
  w.inferred
FROM waits AS w
LEFT JOIN named AS r ON r.slice_id = w.record_slice_id
LEFT JOIN named AS p ON p.slice_id = w.producer_slice_id
LEFT JOIN named AS o ON o.slice_id = w.root_slice_id
LEFT JOIN collective AS c ON c.slice_id = w.root_slice_id
LEFT JOIN peer_arrival AS a
  ON a.collective_id = c.collective_id
  AND a.number = c.last_number
ORDER BY w.exposed_ns DESC, w.dur DESC, w.slice_id
