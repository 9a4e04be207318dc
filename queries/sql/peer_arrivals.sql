-- title:   Arrivals of peers
-- about:   How long a collective's first wait for each peer took, latest peer
--          first. peer is its rank in the job, NULL where nothing says which
--          rank the group's number is; slice_id is the wait. collected: the
--          store holds that rank.
-- param:   rank INTEGER = NULL          only this rank
-- param:   step INTEGER = NULL          only this step
-- param:   from_ts BIGINT = NULL        only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL          only what begins before it, ns
-- param:   collective_id BIGINT = NULL  only this collective
-- param:   peer INTEGER = NULL          only this rank as a peer
-- param:   limit BIGINT = NULL          so many rows
-- columns: collective_id BIGINT, rank INTEGER, step INTEGER, name VARCHAR,
--          "group" VARCHAR, ts BIGINT, number INTEGER, peer INTEGER,
--          wait_ns BIGINT, slice_id BIGINT, last BOOLEAN,
--          collected BOOLEAN, inferred BOOLEAN, source VARCHAR
-- needs:   collective, arrival
SELECT
  p.collective_id,
  p.rank,
  c.step,
  c.name,
  c.group,
  c.ts,
  p.number,
  p.peer,
  p.wait_ns,
  p.slice_id,
  p.number = c.last_number AS last,
  p.collected,
  p.inferred,
  p.source
FROM arrival AS p
LEFT JOIN collective AS c ON c.collective_id = p.collective_id
WHERE ($rank IS NULL OR p.rank = $rank)
  AND ($step IS NULL OR c.step = $step)
  AND ($from_ts IS NULL OR c.ts + c.dur > $from_ts)
  AND ($to_ts IS NULL OR c.ts < $to_ts)
  AND ($collective_id IS NULL OR p.collective_id = $collective_id)
  AND ($peer IS NULL OR p.peer = $peer)
ORDER BY p.wait_ns DESC, p.collective_id, p.number, p.source
LIMIT $limit
