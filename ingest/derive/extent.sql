-- about: The time that the slices cover, how many there are, and how many stand on
--        the fullest lane. Without slices it is the time of the counters. What is
--        at 0 among wall-clock times is left out.
WITH timed AS (
  SELECT lane, ts, coalesce(dur, 0) AS dur FROM read_slice
  UNION ALL
  SELECT NULL, ts, 0 FROM read_counter WHERE NOT EXISTS (FROM read_slice)
), kept AS (
  FROM timed
  WHERE ts >= $epoch OR NOT EXISTS (FROM timed WHERE ts >= $epoch)
), lanes AS (
  SELECT lane, count(lane) AS slices FROM kept GROUP BY lane
)
SELECT
  coalesce(min(ts), 0) AS ts,
  coalesce(max(ts + dur), 0) AS end_ts,
  count(lane) AS slices,
  (SELECT coalesce(max(slices), 0) FROM lanes) AS most_on_a_lane,
  count(*) > 0 AS known
FROM kept
