-- table: step_mark
-- about: What marks the steps, by what is trusted most: the profiler, ranges of the
--        program, replays of a graph, kernels that repeat; else one step 0 over
--        everything. Steps that only the figures file knows have no times.
--        "on_host" says that a mark is what the host did, so that a task belongs to
--        the step in which it was launched; "alone" that what was launched between
--        two marks belongs to neither.
WITH found AS (
  SELECT
    *, NULL::VARCHAR AS name, source = 'profiler_step' AS on_host, false AS alone
  FROM step_given
  UNION ALL
  SELECT *, true, true FROM step_range
  UNION ALL
  SELECT *, true, true FROM step_replay
  UNION ALL
  SELECT *, false, false FROM step_repeat
), marked AS (
  -- Only those that are wanted; a run is no step.
  FROM found
  WHERE step BETWEEN $first_step AND $last_step
  UNION ALL
  SELECT 'run', 'run', 0, $ts, $trace_end, NULL, false, false
  WHERE NOT EXISTS (FROM found)
)
FROM marked
UNION ALL
SELECT 'step_trace_time', 'train', f.step, NULL, NULL, NULL, false, false
FROM (SELECT DISTINCT step FROM figure_row WHERE step IS NOT NULL) AS f
ANTI JOIN marked AS m ON f.step = m.step
WHERE f.step BETWEEN $first_step AND $last_step
ORDER BY step
