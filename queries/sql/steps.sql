-- title:   Steps
-- about:   The steps of each rank in time: how long each took, by how much that
--          differs from the rank's median of its kind (without warm-up), its
--          ranges on host and device, and the vendor's own figures with their
--          source. An outlier, one of three or more alike, took more than
--          twice that median, the time without a request left out; a training
--          step also more than five times the median deviation, and 5 %, over
--          it. warmup_by is what proves that a step is
--          warm-up: compile, capture (of a graph), first_use (of operators) or
--          schedule (of the profiler, which had none to warm up in).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step; the median stays that of all
-- columns: rank INTEGER, step INTEGER, kind VARCHAR, source VARCHAR,
--          inferred BOOLEAN, warmup BOOLEAN, warmup_by VARCHAR,
--          ts BIGINT, dur BIGINT,
--          median BIGINT, from_median_ns BIGINT, outlier BOOLEAN,
--          tokens BIGINT, host_ts BIGINT, host_dur BIGINT,
--          device_ts BIGINT, device_dur BIGINT,
--          computing BIGINT, communication BIGINT,
--          communication_not_overlapped BIGINT, overlapped BIGINT,
--          free BIGINT, stage BIGINT, bubble BIGINT, preparing BIGINT,
--          figures_source VARCHAR
-- needs:   step, iteration
WITH measured AS (
  SELECT
    *,
    -- Where all of them are warm-up there is no other to compare with.
    coalesce(
      quantile_disc(dur, 0.5) FILTER (warmup IS NOT TRUE)
        OVER (PARTITION BY rank, kind),
      quantile_disc(dur, 0.5) OVER (PARTITION BY rank, kind)
    ) AS median
  FROM step
)
SELECT
  m.rank,
  m.step,
  m.kind,
  m.source,
  m.inferred,
  m.warmup,
  m.warmup_by,
  m.ts,
  m.dur,
  m.median,
  m.dur - m.median AS from_median_ns,
  i.outlier,
  m.tokens,
  m.host_ts,
  m.host_dur,
  m.device_ts,
  m.device_dur,
  m.computing,
  m.communication,
  m.communication_not_overlapped,
  m.overlapped,
  m.free,
  m.stage,
  m.bubble,
  m.preparing,
  m.figures_source
FROM measured AS m
LEFT JOIN iteration AS i ON i.rank = m.rank AND i.step = m.step
WHERE ($rank IS NULL OR m.rank = $rank)
  AND ($step IS NULL OR m.step = $step)
ORDER BY m.rank, m.ts, m.step
