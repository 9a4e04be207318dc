-- table: part
-- about: On which row of its stream or plane a device task is drawn. The kernel
--        table knows the core; the task type is heard where it does not.
WITH cores AS (
  SELECT
    l.slice_id,
    min(regexp_replace(
      replace(upper(trim(k.core)), ' ', '_'), '_SQE$', ''
    )) AS core
  FROM kernel_row AS k
  JOIN kernel_link AS l USING (row_number)
  WHERE k.core <> ''
  GROUP BY l.slice_id
), cored AS (
  SELECT
    p.slice_id,
    p.track_id,
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
  track_id,
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
ORDER BY slice_id
