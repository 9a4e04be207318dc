-- about: Slices at 0 among wall-clock times: they are kept, but are no part of the
--        run.
SELECT '' AS file, 'info' AS severity, count(*) AS count, min(name) AS sample
FROM placed
WHERE ts < $ts
HAVING count(*) > 0
