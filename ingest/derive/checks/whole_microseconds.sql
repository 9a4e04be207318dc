-- about: Slices that all begin at whole microseconds: the file has no finer times.
--        Few slices tell nothing.
SELECT
  '' AS file,
  'info' AS severity,
  count(*) AS count,
  'resolution 1 us: what is shorter has no length, order or gap of its own'
    AS sample
FROM placed
WHERE ts >= $ts
HAVING count(*) >= 100 AND bool_and(ts % 1000 = 0)
