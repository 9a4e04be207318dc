-- title:   Collectives as the vendor has them
-- about:   The figures of communication.json beside those of the timeline,
--          the longest collective first: elapse_ns beside dur, transit_ns
--          beside transfer_ns, wait_ns beside own_wait_ns, idle_ns beside
--          own_rest_ns, which is what is neither. The vendor's are those of
--          one plane (NULL where no plane here has just these), and wait_ratio
--          is made of them; ours are of all planes. bytes is what all tasks
--          sent to other ranks. about says why the two differ.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, step INTEGER, name VARCHAR, "group" VARCHAR,
--          collective_id BIGINT, ts BIGINT, elapse_ns BIGINT, dur BIGINT,
--          transit_ns BIGINT, transfer_ns BIGINT, wait_ns BIGINT,
--          own_wait_ns BIGINT, idle_ns BIGINT, own_rest_ns BIGINT,
--          synchronization_ns BIGINT, wait_ratio DOUBLE,
--          own_wait_ratio DOUBLE, plane INTEGER, bytes BIGINT, about VARCHAR
-- needs:   vendor_collective, collective
WITH beside AS (
  SELECT
    v.*,
    coalesce(c.step, v.step) AS own_step,
    coalesce(c.ts, v.ts) AS own_ts,
    c.dur,
    c.transfer_ns,
    c.wait_ns AS own_wait_ns,
    c.dur - c.transfer_ns - c.wait_ns AS own_rest_ns
  FROM vendor_collective AS v
  LEFT JOIN collective AS c ON c.collective_id = v.collective_id
  WHERE ($rank IS NULL OR v.rank = $rank)
    AND ($step IS NULL OR coalesce(c.step, v.step) = $step)
)
SELECT
  rank,
  own_step AS step,
  name,
  "group",
  collective_id,
  own_ts AS ts,
  elapse_ns,
  dur,
  transit_ns,
  transfer_ns,
  wait_ns,
  own_wait_ns,
  idle_ns,
  own_rest_ns,
  synchronization_ns,
  wait_ratio,
  own_wait_ns / nullif(own_wait_ns + transfer_ns, 0) AS own_wait_ratio,
  plane,
  bytes,
  CASE
    WHEN collective_id IS NULL
    THEN 'the timeline has no collective of this name at this time'
    WHEN own_wait_ns IS NULL
    THEN 'the timeline has no plane tasks: only the length can be compared'
    WHEN plane IS NULL
    THEN 'no single plane of the timeline has these waits and moves'
    WHEN abs(wait_ns - own_wait_ns) + abs(transit_ns - transfer_ns) < 1000
    THEN 'the same on plane ' || plane || ' as on all planes'
    ELSE 'the vendor counts plane ' || plane || ' alone: waits of other planes'
      || ' are its idle time, moves of other planes are not in its transit'
      || ' time; here data moves while any plane moves it, and what remains'
      || ' waits while any plane waits'
  END AS about
FROM beside
ORDER BY elapse_ns DESC NULLS LAST, rank, ts, name
LIMIT $limit
