-- table: part
-- about: On which row of its stream or plane a device task is drawn. The kernel
--        table knows the core; the task type is heard where it does not.
WITH cores AS (
  SELECT
    slice_id,
    min(regexp_replace(
      replace(upper(trim(core)), ' ', '_'), '_SQE$', ''
    )) AS core
  FROM kernel
  -- Without a kernel table the kernels only repeat the task types.
  WHERE slice_id IS NOT NULL AND core <> '' AND EXISTS (FROM kernel_row)
  GROUP BY slice_id
), cored AS (
  SELECT
    p.slice_id,
    p.class,
    coalesce(
      c.core,
      CASE WHEN NOT list_contains($unspecific_tasks, m.task) THEN m.task END
    ) AS core
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN pattern AS m USING (pattern)
  LEFT JOIN cores AS c USING (slice_id)
  WHERE l.kind IN ('stream', 'plane')
)
SELECT
  slice_id,
  CASE
    WHEN class IN ('compute', 'mc2') THEN CASE
      WHEN list_contains($cube_cores, core) THEN 'cube'
      WHEN list_contains($vector_cores, core) THEN 'vector'
      ELSE 'compute'
    END
    WHEN class IN ('copy', 'communication') THEN 'transfer'
    WHEN class = 'wait' THEN 'waiting'
    ELSE 'control'
  -- Grouped faster than words; sorted as the words are.
  END::ENUM (
    'compute', 'control', 'cube', 'transfer', 'vector', 'waiting'
  ) AS part
FROM cored
