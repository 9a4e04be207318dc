-- When the host is in each step: as it marks it, or else the step's period.
SELECT
  rank,
  step,
  coalesce(host_ts, ts) AS ts,
  coalesce(host_ts + host_dur, ts + dur) AS end_ts
FROM step
WHERE dur > 0
