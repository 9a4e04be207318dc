-- title:   Waits one by one
-- about:   What the device waited for, longest first. event: a task that waits
--          for another stream; notify: one that waits for another rank where
--          the planes of collectives were not collected; peer: the part of a
--          collective in which its planes only wait (dur is then that of the
--          collective). A wait that a plane and a stream both show is listed
--          with its collective only.
-- param:   rank INTEGER = NULL    only this rank
-- param:   step INTEGER = NULL    only this step
-- param:   kind VARCHAR = NULL of event|notify|peer  only waits of this kind
-- param:   name VARCHAR = NULL    only waits of this name
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL    only what begins before this instant, ns
-- param:   limit BIGINT = NULL    so many rows
-- columns: kind VARCHAR, rank INTEGER, device_id INTEGER, step INTEGER,
--          slice_id BIGINT, track_id BIGINT, name VARCHAR, ts BIGINT,
--          dur BIGINT, wait_ns BIGINT, collective_id BIGINT,
--          last_peer INTEGER, last_number INTEGER
-- needs:   device_wait
SELECT
  kind,
  rank,
  device_id,
  step,
  slice_id,
  track_id,
  name,
  ts,
  dur,
  wait_ns,
  collective_id,
  last_peer,
  last_number
FROM device_wait
WHERE ($rank IS NULL OR rank = $rank)
  AND ($step IS NULL OR step = $step)
  AND ($kind IS NULL OR kind = $kind)
  AND ($name IS NULL OR name = $name)
  AND ($from_ts IS NULL OR ts + dur > $from_ts)
  AND ($to_ts IS NULL OR ts < $to_ts)
ORDER BY wait_ns DESC, rank, ts, kind, slice_id, collective_id
LIMIT $limit
