-- title:   Late ranks
-- about:   Each rank of a communication group over all its collectives, latest
--          on top, with how much later than the first rank it came in all
--          (late_ns), how often last, and whether the store holds it. The
--          source is notify_wait (the waits of the others for it), compared
--          (without plane tasks, how long collectives take on the ranks
--          here), clocks (when they begin on them), or cannot_tell (nobody
--          here waited for it). clock_late_ns checks it by the starts on
--          the ranks here; ends_apart_ns is by how much their ends differ.
--          A row without peer and number is a rank that is not here:
--          least_wait_ns is what even the last rank here waited.
-- param:   step INTEGER = NULL     only this step
-- columns: "group" VARCHAR, number INTEGER, peer INTEGER, collected BOOLEAN,
--          collectives BIGINT, times_last BIGINT, late_ns BIGINT,
--          longest BIGINT, longest_collective_id BIGINT,
--          clock_late_ns BIGINT, ends_apart_ns BIGINT, least_wait_ns BIGINT,
--          source VARCHAR, inferred BOOLEAN
-- needs:   all_rank, collective, peer_arrival, profile
SELECT
  any_value("group") AS "group",
  number,
  peer,
  collected,
  count(*) AS collectives,
  count(*) FILTER (last) AS times_last,
  sum(late_ns)::BIGINT AS late_ns,
  max(late_ns) AS longest,
  arg_max(collective_id, (late_ns, -collective_id)) AS longest_collective_id,
  sum(clock_late_ns)::BIGINT AS clock_late_ns,
  max(ends_apart_ns) AS ends_apart_ns,
  sum(least_wait_ns)::BIGINT AS least_wait_ns,
  source,
  bool_or(inferred) AS inferred
FROM lateness($step)
GROUP BY communicator, number, peer, collected, source
ORDER BY late_ns DESC NULLS LAST, communicator, number, peer
