-- table: slice
-- about: Slices with nesting; words are codes, and the step is completed by the
--        ranges of the steps. Set side by side, rows come one after another in
--        the order of their numbers; other joins would mix them.
SELECT
  p.slice_id,
  $rank::INTEGER AS rank,
  p.track_id,
  p.ts,
  p.dur,
  p.ts + p.dur AS end_ts,
  n.depth,
  n.sublane,
  n.parent_id,
  p.name,
  p.category,
  p.class,
  s.part,
  p.task_type,
  p.stream_id,
  p.task_id,
  p.connection_id,
  s.launched_in,
  s.on_device,
  p.phase,
  p.unfinished,
  p.arg_set_id
FROM placed AS p
POSITIONAL JOIN nesting AS n
POSITIONAL JOIN slice_side AS s
