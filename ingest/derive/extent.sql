-- about: The time that the slices cover, how many there are, and how many stand on
--        the fullest lane. Slices at 0 among wall-clock times are left out.
WITH timed AS (
  SELECT lane, ts, coalesce(dur, 0) AS dur FROM read_slice
), kept AS (
  FROM timed
  WHERE ts >= $epoch OR NOT EXISTS (FROM timed WHERE ts >= $epoch)
), lanes AS (
  SELECT lane, count(*) AS slices FROM kept GROUP BY lane
)
SELECT
  coalesce(min(ts), 0) AS ts,
  coalesce(max(ts + dur), 0) AS end_ts,
  count(*) AS slices,
  (SELECT coalesce(max(slices), 0) FROM lanes) AS most_on_a_lane
FROM kept
