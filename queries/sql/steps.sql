-- title:   Steps
-- about:   The steps of each rank in time: how long each took, by how much that
--          differs from the rank's median (without warm-up), its ranges on
--          host and device, and the vendor's own figures with their source.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step; the median stays that of all
-- columns: rank INTEGER, step INTEGER, kind VARCHAR, source VARCHAR,
--          inferred BOOLEAN, warmup BOOLEAN, ts BIGINT, dur BIGINT,
--          median BIGINT, from_median_ns BIGINT, host_ts BIGINT,
--          host_dur BIGINT, device_ts BIGINT, device_dur BIGINT,
--          computing BIGINT, communication BIGINT,
--          communication_not_overlapped BIGINT, overlapped BIGINT,
--          free BIGINT, stage BIGINT, bubble BIGINT, preparing BIGINT,
--          figures_source VARCHAR
-- needs:   step
WITH measured AS (
  SELECT
    *,
    -- Where all of them are warm-up there is no other to compare with.
    coalesce(
      quantile_disc(dur, 0.5) FILTER (warmup IS NOT TRUE)
        OVER (PARTITION BY rank),
      quantile_disc(dur, 0.5) OVER (PARTITION BY rank)
    ) AS median
  FROM step
)
SELECT
  rank,
  step,
  kind,
  source,
  inferred,
  warmup,
  ts,
  dur,
  median,
  dur - median AS from_median_ns,
  host_ts,
  host_dur,
  device_ts,
  device_dur,
  computing,
  communication,
  communication_not_overlapped,
  overlapped,
  free,
  stage,
  bubble,
  preparing,
  figures_source
FROM measured
WHERE ($rank IS NULL OR rank = $rank)
  AND ($step IS NULL OR step = $step)
ORDER BY rank, ts, step
