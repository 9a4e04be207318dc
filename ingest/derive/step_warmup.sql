-- table: step_warmup
-- about: The leading steps that are proven to be warm-up: an operator was really
--        compiled, or a graph captured; and the first step where the schedule
--        gave the profiler none to warm up in. A long step is no warm-up for
--        being long.
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
), proven AS (
  SELECT
    b.step,
    bool_or(c.captures OR c.dur > $least_compile) AS proven
  FROM calls AS c
  ASOF JOIN began AS b ON c.ts >= b.ts
  GROUP BY b.step
)
SELECT
  b.step,
  bool_and(
    coalesce(p.proven, false)
    OR (
      b.place = 1
      AND b.steps > 1
      AND $first_step = 0
      AND coalesce($scheduled_warmup = 0, false)
    )
  ) OVER (ORDER BY b.place ROWS UNBOUNDED PRECEDING) AS warmup
FROM began AS b
LEFT JOIN proven AS p USING (step)
