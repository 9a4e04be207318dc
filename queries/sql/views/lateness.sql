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
WITH waits AS (
  SELECT
    m.communicator, m.step, m.name, m.nth,
    a.number,
    any_value(m."group") AS "group",
    any_value(a.peer) AS peer,
    any_value(a.collected) AS collected,
    max(a.wait_ns) AS late_ns,
    arg_max(m.collective_id, (a.wait_ns, -m.rank)) AS collective_id,
    bool_or(a.inferred) AS inferred
  FROM arrival AS a
  JOIN collective_match AS m ON m.collective_id = a.collective_id
  GROUP BY ALL
), taking_part AS (
  SELECT
    m.communicator, m.step, m.name, m.nth,
    m."group", m.rank, m.collective_id, m.dur, m.bytes,
    m.ts + p.clock_offset AS began,
    m.ts + m.dur + p.clock_offset AS ended,
    m.transfer_ns IS NOT NULL AS split
  FROM collective_match AS m
  LEFT JOIN profile AS p ON p.rank = m.rank
), matched AS (
  SELECT
    *,
    count(DISTINCT rank) OVER w AS ranks,
    bool_or(split) OVER w AS any_split,
    max(dur) OVER w AS most,
    min(dur) OVER w AS least,
    CASE WHEN count(began) OVER w = count(*) OVER w THEN min(began) OVER w END
      AS first_at,
    max(ended) OVER w - min(ended) OVER w AS ends_apart_ns
  FROM taking_part
  WINDOW w AS (PARTITION BY communicator, step, name, nth)
), best AS (
  SELECT communicator, max(bytes / nullif(dur, 0)) AS rate
  FROM taking_part
  GROUP BY communicator
), here AS (
  SELECT
    coalesce(w.communicator, m.communicator) AS communicator,
    coalesce(w.step, m.step) AS step,
    coalesce(w.name, m.name) AS name,
    coalesce(w.nth, m.nth) AS nth,
    coalesce(w."group", m."group") AS "group",
    w.number,
    coalesce(w.peer, m.rank) AS peer,
    CASE
      WHEN m.rank IS NOT NULL THEN true
      ELSE w.collected
    END AS collected,
    coalesce(w.collective_id, m.collective_id) AS collective_id,
    coalesce(w.late_ns, CASE
      WHEN m.ranks > 1 AND NOT m.any_split THEN m.most - m.dur
      WHEN m.ranks > 1 THEN m.began - m.first_at
    END) AS late_ns,
    CASE WHEN m.ranks > 1 THEN m.began - m.first_at END AS clock_late_ns,
    CASE WHEN m.ranks > 1 THEN m.ends_apart_ns END AS ends_apart_ns,
    CASE
      WHEN w.number IS NOT NULL THEN 'notify_wait'
      WHEN m.ranks > 1 AND NOT m.any_split THEN 'compared'
      WHEN m.ranks > 1 AND m.first_at IS NOT NULL THEN 'clocks'
      ELSE 'cannot_tell'
    END AS source,
    coalesce(w.inferred, m.ranks > 1 OR NULL) AS inferred
  FROM waits AS w
  FULL JOIN matched AS m
    ON w.communicator IS NOT DISTINCT FROM m.communicator
    AND w.step IS NOT DISTINCT FROM m.step
    AND w.name = m.name
    AND w.nth = m.nth
    AND w.peer = m.rank
), unnamed AS (
  SELECT
    m.communicator, m.step, m.name, m.nth,
    m."group",
    m.collective_id,
    m.most - (m.bytes / b.rate)::BIGINT AS late_ns,
    m.least - (m.bytes / b.rate)::BIGINT AS least_wait_ns
  FROM matched AS m
  JOIN best AS b ON b.communicator IS NOT DISTINCT FROM m.communicator
  WHERE m.ranks > 1
    AND NOT m.any_split
    AND m.dur = m.most
    AND m.least > 2 * (m.bytes / b.rate)
    -- All ranks of the job are here: then nobody else can be late.
    AND m.ranks < coalesce((SELECT max(world_size) FROM profile), m.ranks + 1)
  QUALIFY row_number() OVER (
    PARTITION BY m.communicator, m.step, m.name, m.nth ORDER BY m.rank
  ) = 1
), ranked AS (
  SELECT *, NULL::BIGINT AS least_wait_ns FROM here
  UNION ALL
  SELECT
    communicator, step, name, nth, "group",
    NULL AS number, NULL AS peer, false AS collected, collective_id, late_ns,
    NULL AS clock_late_ns, NULL AS ends_apart_ns,
    'compared' AS source, true AS inferred, least_wait_ns
  FROM unnamed
)
SELECT
  *,
  CASE WHEN late_ns IS NOT NULL THEN late_ns > 0 AND row_number() OVER (
    PARTITION BY communicator, step, name, nth
    ORDER BY late_ns DESC NULLS LAST, number, peer
  ) = 1 END AS last
FROM ranked
