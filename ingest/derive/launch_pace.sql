-- table: launch_pace
-- about: The median time between two launches.
WITH paced AS (
  SELECT launch_ts - lag(launch_ts) OVER (ORDER BY launch_ts) AS interval
  FROM launch_link
)
SELECT $rank::INTEGER AS rank, quantile_disc(interval, 0.5) AS launch_ns
FROM paced
WHERE interval > 0
HAVING count(*) > 0
