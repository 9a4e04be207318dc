-- title:   Official figures
-- about:   The vendor's figures of each step and where they come from: its own
--          file (step_trace_time), the Overlap Analysis lane (overlap_lane),
--          or npuview's union of slices (own_union). total is computing,
--          communication_not_overlapped and free: the step on the device, not
--          its range on the host (host_dur).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, step INTEGER, figures_source VARCHAR,
--          computing BIGINT, communication BIGINT,
--          communication_not_overlapped BIGINT, overlapped BIGINT,
--          free BIGINT, total BIGINT, host_dur BIGINT, stage BIGINT,
--          bubble BIGINT, preparing BIGINT
-- needs:   step
SELECT
  rank,
  step,
  figures_source,
  computing,
  communication,
  communication_not_overlapped,
  overlapped,
  free,
  computing + communication_not_overlapped + free AS total,
  host_dur,
  stage,
  bubble,
  preparing
FROM step
WHERE ($rank IS NULL OR rank = $rank)
  AND ($step IS NULL OR step = $step)
ORDER BY rank, ts, step
