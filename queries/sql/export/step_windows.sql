-- The time that a step takes on each rank: its period and its host range.
SELECT
  rank,
  min(least(ts, host_ts)) AS from_ts,
  max(greatest(ts + dur, host_ts + host_dur)) AS to_ts
FROM step
WHERE step = $step
GROUP BY rank
ORDER BY rank;
