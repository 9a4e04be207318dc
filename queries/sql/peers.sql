-- title:   Late peers
-- about:   Each peer over all collectives of a group: how often it came last
--          and how long was waited for it, latest first. peer is its
--          rank in the job, NULL where nothing says which rank the group's
--          number is. Waits for several peers run at once, so peers are not to
--          be added up.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL  only what begins before this instant, ns
-- columns: rank INTEGER, "group" VARCHAR, number INTEGER, peer INTEGER,
--          collected BOOLEAN, collectives BIGINT, times_last BIGINT,
--          wait_ns BIGINT, longest BIGINT
-- needs:   collective, arrival
SELECT
  p.rank,
  c."group",
  p.number,
  p.peer,
  bool_and(p.collected) AS collected,
  count(*) AS collectives,
  count(*) FILTER (p.number = c.last_number) AS times_last,
  sum(p.wait_ns)::BIGINT AS wait_ns,
  max(p.wait_ns) AS longest
FROM arrival AS p
LEFT JOIN collective AS c ON c.collective_id = p.collective_id
WHERE ($rank IS NULL OR p.rank = $rank)
  AND ($step IS NULL OR c.step = $step)
  AND ($from_ts IS NULL OR c.ts + c.dur > $from_ts)
  AND ($to_ts IS NULL OR c.ts < $to_ts)
GROUP BY p.rank, c."group", p.number, p.peer
ORDER BY wait_ns DESC, p.rank, c."group", p.number
