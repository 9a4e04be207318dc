-- The median time between two launches of a rank.
SELECT rank, quantile_disc(interval, 0.5) AS launch_ns
FROM (
  SELECT
    rank,
    launch_ts - lag(launch_ts) OVER (PARTITION BY rank ORDER BY launch_ts)
      AS interval
  FROM launch_link
)
WHERE interval > 0
GROUP BY rank
