-- title:   Collectives
-- about:   Collectives, longest first: how long data moved (transfer_ns), how
--          long planes only waited for peers (wait_ns), who came last and how
--          long it was waited for. last_peer is a rank of the job, last_number
--          the same peer as its group numbers it. bytes_per_s is of the
--          message over transfer_ns. NULL without plane tasks (Level0).
-- param:   rank INTEGER = NULL    only this rank
-- param:   step INTEGER = NULL    only this step
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL    only what begins before this instant, ns
-- param:   limit BIGINT = NULL    so many rows
-- columns: collective_id BIGINT, rank INTEGER, device_id INTEGER,
--          step INTEGER, slice_id BIGINT, name VARCHAR, "group" VARCHAR,
--          bytes BIGINT, ts BIGINT, dur BIGINT, transfer_ns BIGINT,
--          wait_ns BIGINT, wait_share DOUBLE, bytes_per_s DOUBLE,
--          last_peer INTEGER, last_number INTEGER, last_peer_wait_ns BIGINT
-- needs:   collective, peer_arrival
SELECT
  c.collective_id,
  c.rank,
  c.device_id,
  c.step,
  c.slice_id,
  c.name,
  c.group,
  c.bytes,
  c.ts,
  c.dur,
  c.transfer_ns,
  c.wait_ns,
  c.wait_ns / nullif(c.dur, 0) AS wait_share,
  c.bytes::DOUBLE * 1e9 / nullif(c.transfer_ns, 0) AS bytes_per_s,
  c.last_peer,
  c.last_number,
  p.wait_ns AS last_peer_wait_ns
FROM collective AS c
LEFT JOIN peer_arrival AS p
  ON p.collective_id = c.collective_id
  AND p.number = c.last_number
WHERE ($rank IS NULL OR c.rank = $rank)
  AND ($step IS NULL OR c.step = $step)
  AND ($from_ts IS NULL OR c.ts + c.dur > $from_ts)
  AND ($to_ts IS NULL OR c.ts < $to_ts)
ORDER BY c.dur DESC, c.collective_id
LIMIT $limit
