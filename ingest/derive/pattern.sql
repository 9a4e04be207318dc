-- table: pattern
-- about: Every lane, name, category and task type that come together, with the class
--        that they make and the task type in its matched form.
WITH seen AS (
  SELECT lane, name, category, task_type FROM read_slice GROUP BY ALL
), spelled AS (
  SELECT
    s.* RENAME (name AS name_code, category AS category_code, task_type AS task_type_code),
    l.kind,
    n.text AS name,
    c.text AS category,
    trim(regexp_replace(
      replace(upper(coalesce(t.text, '')), ' ', '_'), '_SQE$', ''
    )) AS task
  FROM seen AS s
  JOIN lane AS l USING (lane)
  JOIN word AS n ON s.name = n.code
  LEFT JOIN word AS c ON s.category = c.code
  LEFT JOIN word AS t ON s.task_type = t.code
)
SELECT
  row_number() OVER ()::INTEGER AS pattern,
  s.lane,
  s.name_code,
  coalesce(s.category_code, -1) AS category_code,
  coalesce(s.task_type_code, -1) AS task_type_code,
  s.task,
  CASE s.kind
    WHEN 'overlap' THEN 'overlap'
    WHEN 'step' THEN 'step'
    WHEN 'group' THEN 'communication'
    WHEN 'plane' THEN CASE
      WHEN p.name IS NOT NULL THEN 'communication'
      WHEN s.name ILIKE 'notify%wait%' THEN 'wait'
      WHEN s.name ILIKE 'notify%record%' THEN 'sync'
      ELSE 'other'
    END
    WHEN 'stream' THEN CASE
      WHEN list_any_value(list_filter(
        $fused_communication, lambda part: contains(s.name, part)
      )) IS NOT NULL THEN 'mc2'
      WHEN s.name ILIKE 'hcom\_%' ESCAPE '\' OR s.name ILIKE 'hccl%'
        OR s.name ILIKE 'nccl%' THEN 'communication'
      -- Marks and waits may carry the task type of a placeholder.
      WHEN m.class IN ('control', 'sync', 'wait') THEN m.class
      WHEN k.class IS NOT NULL THEN k.class
      WHEN m.class IS NOT NULL THEN m.class
      WHEN s.name ILIKE 'memcpy%' THEN 'copy'
      WHEN g.class IS NOT NULL THEN g.class
      -- Some exports give kernels no task type; other tasks are named by theirs.
      WHEN s.task IN ('OTHER', 'N/A') AND NOT regexp_full_match(
        s.name, '[A-Z0-9_ ]+'
      ) THEN 'compute'
      ELSE 'other'
    END
    ELSE CASE
      WHEN contains(s.name, 'ProfilerStep#') THEN 'step'
      WHEN s.kind IN ('async', 'counter') THEN 'other'
      ELSE 'host'
    END
  END::ENUM (
    'compute', 'communication', 'mc2', 'copy', 'wait', 'sync', 'control', 'host',
    'step', 'overlap', 'other'
  ) AS class
FROM spelled AS s
LEFT JOIN task_class AS k ON s.task = k.task
LEFT JOIN task_class AS m ON upper(s.name) = m.task
LEFT JOIN category_class AS g ON lower(s.category) = g.category
LEFT JOIN plane_move AS p ON s.name = p.name
