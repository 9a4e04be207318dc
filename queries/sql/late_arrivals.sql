-- title:   Late arrivals
-- about:   How much later than the first each rank came to each collective,
--          latest on top; columns as in late_ranks. On a collective without
--          plane tasks a row without peer and number is a rank that is not
--          here, and least_wait_ns what even the last rank here waited.
-- param:   step INTEGER = NULL          only this step
-- param:   collective_id BIGINT = NULL  only this one
-- param:   peer INTEGER = NULL          only this rank
-- param:   limit BIGINT = NULL          so many rows
-- columns: collective_id BIGINT, step INTEGER, name VARCHAR, nth BIGINT,
--          "group" VARCHAR, number INTEGER, peer INTEGER, collected BOOLEAN,
--          last BOOLEAN, late_ns BIGINT, clock_late_ns BIGINT,
--          ends_apart_ns BIGINT, least_wait_ns BIGINT, source VARCHAR,
--          inferred BOOLEAN
-- needs:   all_rank, collective, peer_arrival, profile
SELECT
  collective_id,
  step,
  name,
  nth,
  "group",
  number,
  peer,
  collected,
  last,
  late_ns,
  clock_late_ns,
  ends_apart_ns,
  least_wait_ns,
  source,
  inferred
FROM lateness($step)
WHERE ($collective_id IS NULL OR collective_id = $collective_id)
  AND ($peer IS NULL OR peer = $peer)
ORDER BY late_ns DESC NULLS LAST, communicator, step, name, nth, number, peer
LIMIT $limit
