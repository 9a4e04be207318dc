-- table: step_warmup
-- about: The leading steps that are proven to be warm-up: an operator was really
--        compiled, a graph captured, or operators used for the first time; and the
--        first step where the schedule gave the profiler none to warm up in. In the
--        first steps of a profile all calls are the first ones recorded: they are
--        first uses where most of them take longer than every later call of their
--        operator, at least three, and by more than a compilation in all. A long step
--        is no warm-up for being long, nor one in which memory is reserved.
WITH began AS (
  SELECT
    m.step,
    row_number() OVER w AS place,
    count(*) OVER () AS steps,
    -- What the host does before the first task of a run is for its first step.
    CASE
      WHEN p.host_ts IS NOT NULL THEN p.host_ts
      WHEN row_number() OVER w = 1 THEN least($ts, p.ts)
      ELSE p.ts
    END AS ts
  FROM step_mark AS m
  JOIN step_period AS p USING (step)
  WHERE m.kind <> 'run'
  WINDOW w AS (ORDER BY p.ts, m.step)
), calls AS (
  SELECT p.ts, p.dur, r.captures
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  WHERE r.role = 'compile' OR r.captures
), compiled AS (
  SELECT
    b.step,
    bool_or(c.captures) AS captured,
    bool_or(NOT c.captures AND c.dur > $least_compile) AS compiled
  FROM calls AS c
  ASOF JOIN began AS b ON c.ts >= b.ts
  GROUP BY b.step
), operator AS (
  -- What an operator is called by: aclnn, or with the task queue the older way. What
  -- communicates may wait inside.
  SELECT m.pattern, m.name_code
  FROM pattern AS m
  JOIN lane AS l USING (lane)
  JOIN word AS n ON m.name_code = n.code
  WHERE l.kind IN ('python', 'cann', 'host')
    AND regexp_matches(n.text, '^(AscendCL@)?aclnn\w+$|^Dequeue@[A-Z]\w*$')
    AND NOT regexp_matches(n.text, '(?i)^Dequeue@(hccl|hcom)')
), first_call AS (
  SELECT
    min(p.ts) AS ts,
    arg_min(p.dur, p.ts) AS dur,
    quantile_disc(p.dur, 0.5) AS usual,
    max(p.dur, 2) AS longest
  FROM placed AS p
  JOIN operator AS o USING (pattern)
  GROUP BY o.name_code
  HAVING count(*) > 3
), first_use AS (
  SELECT
    b.step,
    2 * count(*) FILTER (c.dur > c.longest[2]) >= greatest(count(*), 6)
      AND sum(c.dur - c.usual) FILTER (c.dur > c.longest[2]) > $least_compile AS proven
  FROM first_call AS c
  ASOF JOIN began AS b ON c.ts >= b.ts
  GROUP BY b.step
), proof AS (
  SELECT
    b.step,
    b.place,
    nullif(concat_ws(
      ', ',
      CASE WHEN c.compiled THEN 'compile' END,
      CASE WHEN c.captured THEN 'capture' END,
      -- Without a step after it nothing tells the first calls of a profile from others.
      CASE WHEN b.place < b.steps AND u.proven THEN 'first_use' END,
      CASE
        WHEN b.place = 1 AND b.steps > 1 AND $first_step = 0 AND $scheduled_warmup = 0
          THEN 'schedule'
      END
    ), '') AS warmup_by
  FROM began AS b
  LEFT JOIN compiled AS c USING (step)
  LEFT JOIN first_use AS u USING (step)
)
SELECT
  step,
  bool_and(warmup_by IS NOT NULL) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
    AS warmup,
  warmup_by
FROM proof
