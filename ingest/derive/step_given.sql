-- table: step_given
-- about: Steps that the profiler itself marks: ProfilerStep on the host, else the
--        iterations of the step trace, else the Step Id of the kernel table.
WITH profiler AS (
  SELECT
    regexp_extract(n.text, 'ProfilerStep#(\d+)', 1)::INTEGER AS step,
    min(p.ts) AS ts,
    arg_min(p.ts + p.dur, (p.ts, -p.dur)) AS end_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE p.class = 'step'
    AND l.kind IN ('python', 'host')
    AND regexp_matches(n.text, 'ProfilerStep#\d{1,9}(\D|$)')
  GROUP BY 1
), iterations AS (
  SELECT
    p.track_id,
    regexp_extract(n.text, '^Iteration (\d+)', 1)::INTEGER AS step,
    min(p.ts) AS ts,
    max(p.ts + p.dur) AS end_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE l.kind = 'step' AND regexp_matches(n.text, '^Iteration \d{1,9}$')
  GROUP BY 1, 2
), iteration AS (
  -- Several models have iterations of their own; the busiest one is followed.
  SELECT * EXCLUDE (track_id)
  FROM iterations
  WHERE track_id = (
    SELECT track_id FROM iterations
    GROUP BY track_id ORDER BY count(*) DESC, track_id LIMIT 1
  )
), kernels AS (
  SELECT step, min(ts) AS ts, max(ts + dur) AS end_ts
  FROM kernel_row
  WHERE step IS NOT NULL
  GROUP BY step
)
SELECT 'profiler_step' AS source, 'train' AS kind, * FROM profiler
UNION ALL
SELECT 'step_trace', 'iteration', * FROM iteration
WHERE NOT EXISTS (FROM profiler)
UNION ALL
SELECT 'kernel_details', 'train', * FROM kernels
WHERE NOT EXISTS (FROM profiler) AND NOT EXISTS (FROM iteration)
