-- title:   The slow rank by the vendor's rule
-- about:   Whom the vendor's rule calls slow in each step and group, and who
--          comes last by the waits for each peer. The rule: a rank has a
--          wait ratio above least_ratio, then the one with the smallest is
--          slow. It knows only ranks that were collected, and of each the
--          waits of one plane, so for one peer. What is NULL the rule, or
--          the waits, do not name.
-- param:   step INTEGER = NULL       only this step
-- param:   least_ratio DOUBLE = 0.2 <= 1  wait ratio from which the rule speaks
-- columns: step INTEGER, "group" VARCHAR, ranks BIGINT, vendor_rank INTEGER,
--          vendor_ratio DOUBLE, most_ratio DOUBLE, peer INTEGER,
--          number INTEGER, late_ns BIGINT, collected BOOLEAN, agrees BOOLEAN,
--          about VARCHAR
-- needs:   all_rank, vendor_collective, collective, peer_arrival, profile
WITH ratios AS (
  SELECT
    c.communicator,
    c.step,
    v.rank,
    any_value(v."group") AS "group",
    sum(v.wait_ns) / nullif(sum(v.wait_ns + v.transit_ns), 0) AS ratio
  FROM vendor_collective AS v
  JOIN collective AS c ON c.collective_id = v.collective_id
  WHERE ($step IS NULL OR c.step = $step)
  GROUP BY c.communicator, c.step, v.rank
), ruled AS (
  SELECT
    communicator,
    step,
    any_value("group") AS "group",
    count(ratio) AS ranks,
    arg_min(rank, (ratio, rank)) AS slowest,
    min(ratio) AS least,
    max(ratio) AS most
  FROM ratios
  GROUP BY communicator, step
), late AS (
  SELECT
    communicator,
    step,
    number,
    any_value(peer) AS peer,
    bool_or(collected) AS collected,
    sum(late_ns)::BIGINT AS late_ns
  FROM lateness($step)
  WHERE ($step IS NULL OR step = $step)
  GROUP BY communicator, step, number
), last AS (
  SELECT *
  FROM late
  WHERE late_ns > 0
  QUALIFY row_number() OVER (
    PARTITION BY communicator, step ORDER BY late_ns DESC, number
  ) = 1
), said AS (
  SELECT
    r.step,
    r."group",
    r.ranks,
    CASE WHEN r.ranks > 1 AND r.most > $least_ratio THEN r.slowest END
      AS vendor_rank,
    r.least,
    r.most,
    l.peer,
    l.number,
    l.late_ns,
    l.collected
  FROM ruled AS r
  LEFT JOIN last AS l
    ON l.communicator IS NOT DISTINCT FROM r.communicator
    AND l.step IS NOT DISTINCT FROM r.step
)
SELECT
  step,
  "group",
  ranks,
  vendor_rank,
  CASE WHEN vendor_rank IS NOT NULL THEN least END AS vendor_ratio,
  most AS most_ratio,
  peer,
  number,
  late_ns,
  collected,
  vendor_rank = peer AS agrees,
  CASE
    WHEN ranks < 2 AND (SELECT count(*) FROM all_rank) > 1
    THEN 'the rule compares ranks, and only one is asked about'
    WHEN ranks < 2 THEN 'the rule compares ranks, and only one was collected'
    WHEN vendor_rank IS NULL THEN 'no rank waits enough by the vendor''s count'
    WHEN late_ns IS NULL THEN 'the waits name nobody'
    WHEN vendor_rank = peer THEN 'the rule and the waits name the same rank'
    WHEN NOT collected
    THEN 'the rank that comes last was not collected: the rule cannot name it'
    ELSE 'each ratio is of the waits of one plane, so of one peer; the waits'
      || ' for all peers name another rank'
  END AS about
FROM said
ORDER BY step, "group"
