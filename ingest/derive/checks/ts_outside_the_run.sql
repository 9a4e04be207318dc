-- about: Slices at 0 among wall-clock times: they are kept, but are no part of the
--        run.
SELECT '' AS file, 'info' AS severity, count(*) AS count, min(n.text) AS sample
FROM placed AS p
JOIN word AS n ON p.name = n.code
WHERE p.ts < $ts
HAVING count(*) > 0
