-- How much later than the first a rank came to a collective; a row for each
-- rank that takes part or is waited for. Sources:
-- notify_wait: the longest first wait of another rank for it.
-- compared:    without plane tasks, how much shorter the collective is on it
--              than on the rank where it is longest.
-- clocks:      how much later it begins than on the rank where it begins first.
-- cannot_tell: one rank alone, and nobody else's wait for it.
-- A rank that is not in the store and that nothing names (peer NULL) is told
-- from a collective that even on the last rank takes twice what its bytes need
-- at the best rate of the run; least_wait_ns is what that last rank waited.
CREATE MACRO lateness(only_step) AS TABLE
WITH wanted AS (
  -- The ranks may have the same collective in different steps.
  SELECT DISTINCT match_key
  FROM collective
  WHERE only_step IS NULL OR step = only_step
), waits AS (
  SELECT
    c.match_key,
    a.number,
    any_value(a.peer) AS peer,
    max(a.wait_ns) AS late_ns,
    arg_max(a.collective_id, (a.wait_ns, -a.rank)) AS collective_id,
    bool_or(a.inferred) AS inferred
  FROM peer_arrival AS a
  JOIN collective AS c ON c.collective_id = a.collective_id
  WHERE c.match_key IN (SELECT match_key FROM wanted)
  GROUP BY c.match_key, a.number
), taking_part AS (
  SELECT
    c.match_key, c.communicator, c.rank, c.collective_id, c.dur, c.bytes,
    c.ts + p.clock_offset AS began,
    c.ts + c.dur + p.clock_offset AS ended,
    c.transfer_ns IS NOT NULL AS split
  FROM collective AS c
  LEFT JOIN profile AS p ON p.rank = c.rank
), matched AS (
  SELECT
    match_key,
    count(DISTINCT rank) AS ranks,
    bool_or(split) AS any_split,
    max(dur) AS most,
    min(dur) AS least,
    arg_max(collective_id, (dur, -rank)) AS collective_id,
    any_value(communicator) AS communicator,
    any_value(bytes) AS bytes,
    CASE WHEN count(began) = count(*) THEN min(began) END AS first_at,
    max(ended) - min(ended) AS ends_apart_ns
  FROM taking_part
  WHERE match_key IN (SELECT match_key FROM wanted)
  GROUP BY match_key
), here AS (
  SELECT
    t.match_key, t.rank, t.collective_id, t.dur, t.began,
    m.ranks > 1 AS several,
    m.ranks > 1 AND NOT m.any_split AS compared,
    m.most,
    m.first_at,
    m.ends_apart_ns
  FROM taking_part AS t
  JOIN matched AS m USING (match_key)
), best AS (
  SELECT communicator, max(bytes / nullif(dur, 0)) AS rate
  FROM taking_part
  GROUP BY communicator
), ranked AS (
  SELECT
    coalesce(w.match_key, h.match_key) AS match_key,
    w.number,
    coalesce(w.peer, h.rank) AS peer,
    coalesce(w.collective_id, h.collective_id) AS collective_id,
    coalesce(w.late_ns, CASE
      WHEN h.compared THEN h.most - h.dur
      WHEN h.several THEN h.began - h.first_at
    END) AS late_ns,
    CASE WHEN h.several THEN h.began - h.first_at END AS clock_late_ns,
    CASE WHEN h.several THEN h.ends_apart_ns END AS ends_apart_ns,
    NULL::BIGINT AS least_wait_ns,
    CASE
      WHEN w.number IS NOT NULL THEN 'notify_wait'
      WHEN h.compared THEN 'compared'
      WHEN h.several AND h.first_at IS NOT NULL THEN 'clocks'
      ELSE 'cannot_tell'
    END AS source,
    coalesce(w.inferred, h.several OR NULL) AS inferred
  FROM waits AS w
  FULL JOIN here AS h ON w.match_key = h.match_key AND w.peer = h.rank
  UNION ALL
  SELECT
    m.match_key, NULL, NULL, m.collective_id,
    m.most - (m.bytes / b.rate)::BIGINT,
    NULL, NULL,
    m.least - (m.bytes / b.rate)::BIGINT,
    'compared', true
  FROM matched AS m
  JOIN best AS b ON b.communicator IS NOT DISTINCT FROM m.communicator
  WHERE m.ranks > 1
    AND NOT m.any_split
    AND m.least > 2 * (m.bytes / b.rate)
    -- All ranks of the job are here: then nobody else can be late.
    AND m.ranks < coalesce((SELECT max(world_size) FROM profile), m.ranks + 1)
), latest AS (
  SELECT
    match_key,
    -- The first of those that are equally late.
    arg_max(
      (number, peer),
      (late_ns, -coalesce(number, 2147483647), -coalesce(peer, 2147483647))
    ) AS who
  FROM ranked
  WHERE late_ns > 0
  GROUP BY match_key
)
SELECT
  c.communicator,
  c."group",
  c.step,
  c.name,
  c.nth,
  r.* EXCLUDE (match_key),
  CASE
    WHEN r.number IS NULL AND r.peer IS NULL THEN false
    WHEN r.peer IS NOT NULL
    THEN r.peer IN (SELECT rank FROM all_rank)
      OR r.number IS NULL
  END AS collected,
  CASE
    WHEN r.late_ns IS NOT NULL
    THEN coalesce((r.number, r.peer) IS NOT DISTINCT FROM l.who, false)
  END AS last
FROM ranked AS r
JOIN collective AS c ON c.collective_id = r.collective_id
LEFT JOIN latest AS l ON l.match_key = r.match_key
WHERE only_step IS NULL OR c.step = only_step
