-- title:   Ranks
-- about:   Each rank of the job, here or not: its steps with their median
--          length, how late it came to collectives in all and how often last,
--          and what its devices did in those steps. Lateness as in late_ranks
--          over all groups of the rank. A rank that is not here has only that;
--          one that nothing names has no number, and least_wait_ns is what
--          even the last rank here waited for it. waiting and moving are NULL
--          without plane tasks: their time is collective_unsplit.
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, "group" VARCHAR, number INTEGER, collected BOOLEAN,
--          device_id INTEGER, host VARCHAR, steps BIGINT, step_ns BIGINT,
--          late_ns BIGINT, times_last BIGINT, collectives BIGINT,
--          least_wait_ns BIGINT, source VARCHAR, inferred BOOLEAN,
--          period BIGINT, computing BIGINT, waiting BIGINT, moving BIGINT,
--          collective_unsplit BIGINT, idle BIGINT, waiting_share DOUBLE,
--          idle_share DOUBLE
-- needs:   all_rank, profile, step, ledger, collective, peer_arrival
WITH late AS (
  SELECT
    peer,
    number,
    -- A number of a group without a list of its ranks says nothing elsewhere.
    CASE WHEN peer IS NULL THEN "group" END AS "group",
    sum(late_ns)::BIGINT AS late_ns,
    count(*) FILTER (last) AS times_last,
    count(*) AS collectives,
    sum(least_wait_ns)::BIGINT AS least_wait_ns,
    coalesce(
      arg_max(source, late_ns) FILTER (late_ns IS NOT NULL), 'cannot_tell'
    ) AS source,
    bool_or(inferred) AS inferred
  FROM (
    SELECT
      * EXCLUDE (number),
      CASE WHEN peer IS NULL THEN number END AS number
    FROM lateness($step)
  )
  GROUP BY ALL
), here AS (
  SELECT rank FROM profile
  UNION
  SELECT rank FROM all_rank
), job AS (
  SELECT rank FROM here
  UNION
  SELECT peer FROM late WHERE peer IS NOT NULL
  UNION
  SELECT unnest(range(max(world_size)))::INTEGER FROM profile
), listed AS (
  SELECT
    j.rank,
    l.* EXCLUDE (peer)
  FROM job AS j
  LEFT JOIN late AS l ON l.peer = j.rank
  UNION ALL
  SELECT NULL, * EXCLUDE (peer)
  FROM late
  WHERE peer IS NULL
), measured AS (
  SELECT rank, count(*) AS steps, quantile_disc(dur, 0.5) AS step_ns
  FROM step
  WHERE $step IS NULL OR step = $step
  GROUP BY rank
), unsplit AS (
  SELECT rank, NOT bool_or(transfer_ns IS NOT NULL) AS unsplit
  FROM collective
  GROUP BY rank
), spent AS (
  SELECT
    rank,
    sum(dur)::BIGINT AS period,
    sum(CASE WHEN state IN ('computing', 'mc2', 'aicpu') THEN dur ELSE 0 END)
      AS computing,
    sum(CASE WHEN starts_with(state, 'waiting_') THEN dur ELSE 0 END)
      AS waiting,
    sum(CASE WHEN state = 'collective_other' THEN dur ELSE 0 END) AS other,
    sum(CASE WHEN state IN ('transferring', 'copying') THEN dur ELSE 0 END)
      AS moving,
    sum(CASE WHEN state = 'idle' THEN dur ELSE 0 END) AS idle
  FROM ledger
  WHERE $step IS NULL OR step = $step
  GROUP BY rank
)
SELECT
  l.rank,
  l."group",
  l.number,
  CASE
    WHEN l.number IS NOT NULL THEN NULL
    ELSE h.rank IS NOT NULL
  END AS collected,
  p.device_id,
  p.host,
  m.steps,
  m.step_ns,
  l.late_ns,
  l.times_last,
  l.collectives,
  l.least_wait_ns,
  l.source,
  l.inferred,
  s.period,
  s.computing::BIGINT AS computing,
  CASE WHEN u.unsplit IS NOT TRUE THEN s.waiting END::BIGINT AS waiting,
  CASE WHEN u.unsplit IS NOT TRUE THEN s.moving + s.other END::BIGINT
    AS moving,
  CASE WHEN u.unsplit THEN s.other ELSE 0 * s.other END::BIGINT
    AS collective_unsplit,
  s.idle::BIGINT AS idle,
  CASE WHEN u.unsplit IS NOT TRUE THEN s.waiting END / nullif(s.period, 0)
    AS waiting_share,
  s.idle / nullif(s.period, 0) AS idle_share
FROM listed AS l
LEFT JOIN here AS h ON h.rank = l.rank
LEFT JOIN profile AS p ON p.rank = l.rank
LEFT JOIN measured AS m ON m.rank = p.rank
LEFT JOIN spent AS s ON s.rank = p.rank
LEFT JOIN unsplit AS u ON u.rank = p.rank
ORDER BY l.rank NULLS LAST, l."group", l.number
