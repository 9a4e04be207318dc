-- about: Marks of a step whose number an earlier step has: the first one counts.
SELECT
  '' AS file,
  'data_loss' AS severity,
  count(*) AS count,
  'step ' || min(m.step) AS sample
FROM step_mark AS m
JOIN placed AS p ON p.class = 'step' AND p.ts >= m.end_ts
JOIN word AS n ON p.name = n.code
JOIN lane AS l ON l.track_id = p.track_id AND l.kind IN ('python', 'host')
WHERE m.source = 'profiler_step'
  AND regexp_extract(n.text, 'ProfilerStep#(\d+)', 1) = m.step::VARCHAR
HAVING count(*) > 0
