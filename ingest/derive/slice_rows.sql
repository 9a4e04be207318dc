-- table: slice
-- about: Slices with nesting; words are codes, and the step is completed by the
--        ranges of the steps. Rows that are set side by side come one after
--        another, in the order of their numbers; other joins would mix them.
WITH nested AS (
  SELECT p.*, n.depth, n.sublane, n.parent_id
  FROM placed AS p
  POSITIONAL JOIN nesting AS n
)
SELECT
  p.slice_id,
  $rank::INTEGER AS rank,
  p.track_id,
  p.ts,
  p.dur,
  p.ts + p.dur AS end_ts,
  p.depth,
  p.sublane,
  p.parent_id,
  p.name,
  p.category,
  p.class,
  r.part,
  p.task_type,
  p.stream_id,
  p.task_id,
  p.connection_id,
  m.step AS launched_in,
  l.kind IN ('stream', 'group', 'plane', 'overlap', 'step') AS on_device,
  p.phase,
  p.unfinished,
  p.arg_set_id
FROM nested AS p
JOIN lane AS l USING (track_id)
LEFT JOIN part AS r USING (slice_id)
LEFT JOIN step_member AS m USING (slice_id)
