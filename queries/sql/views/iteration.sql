-- Steps that have times, with the parts of each: the gap before it, from the
-- end of the one before to its first task, and how long it then ran on the
-- device. Time in which a server had no request is part of neither. An outlier
-- took more than twice the median of its kind; it is kept.
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
  served_ns > 2 * quantile_disc(served_ns, 0.5)
    FILTER (warmup IS NOT TRUE) OVER (PARTITION BY rank, kind) AS outlier
FROM timed
