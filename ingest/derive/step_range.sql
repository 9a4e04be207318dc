-- table: step_range
-- about: Ranges that a program marks on the host and that repeat: the execution of a
--        model by a server, else a range of the framework whose name says that it
--        is an iteration, else a range of mstx. Of several the one counts in which
--        most device tasks were launched, the outermost of equal ones; in fewer
--        than half of them it is no iteration. Names count without their numbers.
WITH named AS (
  SELECT
    m.pattern,
    p.level,
    regexp_replace(regexp_replace(
      n.text, '(?i)prefill|decode', '#', 'g'
    ), '\d+', '#', 'g') AS family
  FROM pattern AS m
  JOIN lane AS l USING (lane)
  JOIN word AS n ON m.name_code = n.code
  LEFT JOIN word AS c ON m.category_code = c.code
  JOIN iteration_range AS p
    ON regexp_matches(n.text, p.form)
    AND (p.category IS NULL OR regexp_matches(coalesce(c.text, ''), p.category))
    AND (p.process IS NULL OR regexp_matches(coalesce(l.process_name, ''), p.process))
  WHERE l.kind IN ('python', 'host')
  QUALIFY row_number() OVER (PARTITION BY m.pattern ORDER BY p.level) = 1
), every AS (
  SELECT
    n.level, n.family, p.track_id, p.slice_id, p.ts, p.ts + p.dur AS end_ts, p.name,
    max(p.ts + p.dur) OVER (
      PARTITION BY n.level, n.family, p.track_id ORDER BY p.ts, p.dur DESC, p.slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reach
  FROM placed AS p
  JOIN named AS n USING (pattern)
  WHERE p.dur > 0 AND NOT p.unfinished
), ranges AS (
  -- What lies inside another of its name is a part of that one.
  SELECT * EXCLUDE (reach), dense_rank() OVER (ORDER BY level, family, track_id) AS line
  FROM every
  WHERE reach IS NULL OR ts >= reach
  QUALIFY count(*) OVER (PARTITION BY level, family, track_id) >= $least_iterations
), tasks AS (
  SELECT coalesce(instant, ts) AS instant FROM device_task
), lines AS (
  SELECT line, any_value(level) AS level, sum(end_ts - ts) AS dur, count(*) AS count
  FROM ranges
  GROUP BY line
  ORDER BY level, dur DESC, line
  LIMIT 8
), held AS (
  SELECT r.line, count(*) AS tasks
  FROM tasks AS t
  CROSS JOIN lines AS l
  ASOF JOIN ranges AS r ON l.line = r.line AND t.instant >= r.ts
  WHERE t.instant < r.end_ts
  GROUP BY r.line
), chosen AS (
  SELECT l.line, l.level
  FROM lines AS l
  JOIN held AS h USING (line)
  WHERE 2 * h.tasks >= (SELECT count(*) FROM tasks)
  ORDER BY l.level, h.tasks DESC, l.dur DESC, l.line
  LIMIT 1
)
SELECT
  CASE WHEN c.level = 4 THEN 'mstx' ELSE 'annotation' END AS source,
  'iteration' AS kind,
  row_number() OVER (ORDER BY r.ts)::INTEGER AS step,
  r.ts,
  r.end_ts,
  n.text AS name
FROM ranges AS r
JOIN chosen AS c USING (line)
JOIN word AS n ON r.name = n.code
