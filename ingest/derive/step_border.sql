-- about: The instants at which the period of a step begins or ends.
SELECT DISTINCT unnest([ts, ts + dur]) AS edge
FROM step_period
WHERE ts IS NOT NULL AND dur IS NOT NULL
ORDER BY edge
