-- about: Steps whose figures in the file differ by more than 1 ns from the sums of
--        the Overlap Analysis lane; the file is shown.
SELECT
  'step_trace_time.csv' AS file,
  'info' AS severity,
  count(*) AS count,
  'step ' || min(s.step) || ': the file is shown, the Overlap lane differs'
    AS sample
FROM step AS s
JOIN figure AS g USING (step)
WHERE s.figures_source = 'step_trace_time'
  AND g.source = 'overlap_lane'
  AND greatest(
    abs(s.computing - g.computing),
    abs(s.communication - g.communication),
    abs(s.communication_not_overlapped - g.communication_not_overlapped),
    abs(s.free - g.free)
  ) > 1
HAVING count(*) > 0
