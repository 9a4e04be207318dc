-- title:   Collectives not overlapped
-- about:   Collectives by the time under which their device computes nothing,
--          most on top, with what of it moves data, what waits for peers, bytes
--          and bytes_per_s over transfer_ns. could_cover_ns is an upper bound:
--          all compute of the same step outside of all collectives, although
--          some of it makes what they send or needs what they bring, which no
--          file tells. Compute under a wait for a late rank hides nothing that
--          matters. Collectives at once share what they expose.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: collective_id BIGINT, rank INTEGER, device_id INTEGER,
--          step INTEGER, slice_id BIGINT, name VARCHAR, "group" VARCHAR,
--          bytes BIGINT, ts BIGINT, dur BIGINT, exposed_ns BIGINT,
--          exposed_transfer_ns BIGINT, exposed_wait_ns BIGINT,
--          period_share DOUBLE, transfer_ns BIGINT, wait_ns BIGINT,
--          bytes_per_s DOUBLE, last_peer INTEGER, last_number INTEGER,
--          could_cover_ns BIGINT
-- needs:   collective, step
SELECT
  c.collective_id,
  c.rank,
  c.device_id,
  c.step,
  c.slice_id,
  c.name,
  c."group",
  c.bytes,
  c.ts,
  c.dur,
  c.exposed_ns,
  c.exposed_transfer_ns,
  c.exposed_wait_ns,
  c.exposed_ns / nullif(s.dur, 0) AS period_share,
  c.transfer_ns,
  c.wait_ns,
  c.bytes::DOUBLE * 1e9 / nullif(c.transfer_ns, 0) AS bytes_per_s,
  c.last_peer,
  c.last_number,
  s.computing - s.overlapped AS could_cover_ns
FROM collective AS c
LEFT JOIN step AS s ON s.rank = c.rank AND s.step = c.step
WHERE ($rank IS NULL OR c.rank = $rank)
  AND ($step IS NULL OR c.step = $step)
ORDER BY c.exposed_ns DESC NULLS LAST, c.collective_id
LIMIT $limit
