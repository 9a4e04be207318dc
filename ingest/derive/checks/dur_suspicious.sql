-- about: Slices that run on behind the last start for longer than all starts lie
--        apart: they are kept, but their length is hardly true. Few slices tell
--        nothing.
WITH starts AS (
  SELECT max(ts) AS last_ts, max(ts) - min(ts) AS span
  FROM placed
  WHERE ts >= $ts
  HAVING count(*) >= 100
)
SELECT '' AS file, 'info' AS severity, count(*) AS count, min(n.text) AS sample
FROM placed AS p
JOIN word AS n ON p.name = n.code
CROSS JOIN starts AS s
WHERE p.ts >= $ts AND p.ts + p.dur - s.last_ts > s.span
HAVING count(*) > 0
