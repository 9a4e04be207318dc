-- table: step
-- about: Steps with their periods and official figures: from the vendor's file,
--        else from its lane, else from the union of slices.
WITH rows_of_file AS (
  SELECT
    coalesce(f.step, CASE WHEN m.steps = 1 THEN m.step END) AS step,
    f.* EXCLUDE (step)
  FROM figure_row AS f
  CROSS JOIN (
    SELECT count(*) AS steps, min(step) AS step FROM step_mark
  ) AS m
), of_file AS (
  SELECT * FROM rows_of_file
  QUALIFY row_number() OVER (
    PARTITION BY step ORDER BY device_id NULLS FIRST
  ) = 1
)
SELECT
  $rank::INTEGER AS rank,
  m.step,
  m.source,
  coalesce(k.kind, m.kind) AS kind,
  k.tokens,
  m.source IN ('kernel_details', 'step_trace_time', 'pattern') AS inferred,
  CASE WHEN m.kind = 'run' THEN false ELSE w.warmup END AS warmup,
  CASE WHEN m.kind <> 'run' AND w.warmup THEN w.warmup_by END AS warmup_by,
  p.ts,
  p.dur,
  p.host_ts,
  p.host_dur,
  p.device_ts,
  p.device_end - p.device_ts AS device_dur,
  CASE WHEN f.step IS NULL THEN g.computing ELSE f.computing END AS computing,
  CASE WHEN f.step IS NULL THEN g.communication ELSE f.communication END
    AS communication,
  CASE WHEN f.step IS NULL THEN g.communication_not_overlapped
  ELSE f.communication_not_overlapped END AS communication_not_overlapped,
  CASE WHEN f.step IS NULL THEN g.overlapped ELSE f.overlapped END
    AS overlapped,
  CASE WHEN f.step IS NULL THEN g.free ELSE f.free END AS free,
  CASE WHEN f.step IS NULL THEN g.stage ELSE f.stage END AS stage,
  CASE WHEN f.step IS NULL THEN g.bubble ELSE f.bubble END AS bubble,
  CASE WHEN f.step IS NULL THEN g.preparing ELSE f.preparing END AS preparing,
  CASE WHEN f.step IS NULL THEN g.source ELSE 'step_trace_time' END
    AS figures_source
FROM step_mark AS m
LEFT JOIN step_period AS p USING (step)
LEFT JOIN step_kind AS k USING (step)
LEFT JOIN step_warmup AS w USING (step)
LEFT JOIN of_file AS f USING (step)
LEFT JOIN figure AS g USING (step)
ORDER BY p.ts NULLS LAST, m.step
