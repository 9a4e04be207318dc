-- table: placed
-- about: Slices with their lane, class and final number. Numbers count by time
--        block, lane and start, longer slices first, so that a window of time
--        is a run of rows and a lane's slices stand in the order of nesting.
WITH classified AS (
  SELECT
    s.*,
    t.track_id,
    t.kind,
    t.stream_id AS track_stream_id,
    trim(regexp_replace(
      replace(upper(coalesce(s.task_type, '')), ' ', '_'), '_SQE$', ''
    )) AS task
  FROM read_slice AS s
  JOIN lane AS t USING (lane)
)
SELECT
  $base + row_number() OVER (
    ORDER BY c.ts >> $block_bits, c.track_id, c.ts,
      coalesce(c.dur, $trace_end - c.ts) DESC, c.seq
  ) - 1 AS slice_id,
  c.track_id,
  c.ts,
  coalesce(c.dur, greatest($trace_end - c.ts, 0)) AS dur,
  c.name,
  c.category,
  CASE c.kind
    WHEN 'overlap' THEN 'overlap'
    WHEN 'step' THEN 'step'
    WHEN 'group' THEN 'communication'
    WHEN 'plane' THEN CASE
      WHEN p.name IS NOT NULL THEN 'communication'
      WHEN c.name ILIKE 'notify%wait%' THEN 'wait'
      WHEN c.name ILIKE 'notify%record%' THEN 'sync'
      ELSE 'other'
    END
    WHEN 'stream' THEN CASE
      WHEN list_any_value(list_filter(
        $fused_communication, lambda part: contains(c.name, part)
      )) IS NOT NULL THEN 'mc2'
      WHEN c.name ILIKE 'hcom\_%' ESCAPE '\' OR c.name ILIKE 'hccl%'
        OR c.name ILIKE 'nccl%' THEN 'communication'
      -- Marks and waits may carry the task type of a placeholder.
      WHEN m.class IN ('control', 'sync', 'wait') THEN m.class
      WHEN k.class IS NOT NULL THEN k.class
      WHEN m.class IS NOT NULL THEN m.class
      WHEN c.name ILIKE 'memcpy%' THEN 'copy'
      WHEN g.class IS NOT NULL THEN g.class
      -- Some exports give kernels no task type; other tasks are named by theirs.
      WHEN c.task IN ('OTHER', 'N/A') AND NOT regexp_full_match(
        c.name, '[A-Z0-9_ ]+'
      ) THEN 'compute'
      ELSE 'other'
    END
    ELSE CASE
      WHEN contains(c.name, 'ProfilerStep#') THEN 'step'
      WHEN c.kind IN ('async', 'counter') THEN 'other'
      ELSE 'host'
    END
  END AS class,
  c.task_type,
  c.task,
  coalesce(c.stream_id, c.track_stream_id) AS stream_id,
  c.task_id,
  c.connection_id,
  c.phase,
  c.unfinished,
  c.arg_set_id
FROM classified AS c
LEFT JOIN task_class AS k ON c.task = k.task
LEFT JOIN task_class AS m ON upper(c.name) = m.task
LEFT JOIN category_class AS g ON lower(c.category) = g.category
LEFT JOIN plane_move AS p ON c.name = p.name
ORDER BY slice_id
