-- Steps that have times, with the parts of each: the gap before it, from the
-- end of the one before to its first task, and how long it then ran on the
-- device. Time in which a server had no request is part of neither. An outlier
-- took more than twice the median of its kind, of which there are three or more
-- without warm-up (W18); a training step, which should take as long as the one
-- before, also more than five times the median deviation and 5 % over it. It is
-- kept. Iterations of servers differ by what they are asked (W20).
WITH unasked AS (
  SELECT rank, step, sum(dur)::BIGINT AS no_work_ns
  FROM stall
  WHERE cause = 'no_work'
  GROUP BY rank, step
), timed AS (
  SELECT
    s.*,
    coalesce(u.no_work_ns, 0) AS no_work_ns,
    s.dur - coalesce(u.no_work_ns, 0) AS served_ns,
    lag(s.step) OVER (PARTITION BY s.rank ORDER BY s.ts, s.step) IS NOT NULL
      AS follows
  FROM step AS s
  LEFT JOIN unasked AS u ON u.rank = s.rank AND u.step = s.step
  WHERE s.ts IS NOT NULL
    AND s.kind <> 'run'
), usual AS (
  SELECT
    *,
    count(*) FILTER (warmup IS NOT TRUE)
      OVER (PARTITION BY rank, kind) AS alike,
    quantile_disc(served_ns, 0.5) FILTER (warmup IS NOT TRUE)
      OVER (PARTITION BY rank, kind) AS median
  FROM timed
), apart AS (
  SELECT
    *,
    quantile_disc(abs(served_ns - median), 0.5) FILTER (warmup IS NOT TRUE)
      OVER (PARTITION BY rank, kind) AS deviation
  FROM usual
)
SELECT
  rank,
  step,
  kind,
  source,
  inferred,
  warmup,
  tokens,
  ts,
  dur,
  device_ts,
  no_work_ns,
  served_ns,
  CASE WHEN follows THEN greatest(device_ts - ts - no_work_ns, 0) END AS gap_ns,
  device_dur AS run_ns,
  alike >= 3
    AND warmup IS NOT TRUE
    AND served_ns - median > CASE
      WHEN kind = 'train'
        THEN least(median, greatest(5 * deviation, median // 20))
      ELSE median
    END AS outlier
FROM apart
