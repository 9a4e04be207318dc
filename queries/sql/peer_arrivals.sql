-- title:   Arrivals of peers
-- about:   How long a collective's first wait for each peer took, latest peer
--          first. Peers are numbered as the file numbers them.
-- param:   rank INTEGER = NULL          only this rank
-- param:   step INTEGER = NULL          only this step
-- param:   collective_id BIGINT = NULL  only this collective
-- param:   peer INTEGER = NULL          only this peer
-- param:   limit BIGINT = NULL          so many rows
-- columns: collective_id BIGINT, rank INTEGER, step INTEGER, name VARCHAR,
--          "group" VARCHAR, ts BIGINT, peer INTEGER, wait_ns BIGINT,
--          last BOOLEAN, collected BOOLEAN, source VARCHAR
-- needs:   collective, peer_arrival
SELECT
  p.collective_id,
  p.rank,
  c.step,
  c.name,
  c.group,
  c.ts,
  p.peer,
  p.wait_ns,
  p.peer = c.last_peer AS last,
  p.collected,
  p.source
FROM peer_arrival AS p
LEFT JOIN collective AS c ON c.collective_id = p.collective_id
WHERE ($rank IS NULL OR p.rank = $rank)
  AND ($step IS NULL OR c.step = $step)
  AND ($collective_id IS NULL OR p.collective_id = $collective_id)
  AND ($peer IS NULL OR p.peer = $peer)
ORDER BY p.wait_ns DESC, p.collective_id, p.peer, p.source
LIMIT $limit
