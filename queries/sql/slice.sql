-- title:   A slice
-- about:   Everything that is known of one slice but its args, which slice_args
--          gives for its arg_set_id.
-- param:   slice_id BIGINT  the slice
-- columns: slice_id BIGINT, rank INTEGER, device_id INTEGER,
--          track_id BIGINT, lane_kind VARCHAR, process_name VARCHAR,
--          thread_name VARCHAR, "group" VARCHAR, ts BIGINT, dur BIGINT,
--          end_ts BIGINT, depth INTEGER, sublane INTEGER,
--          parent_id BIGINT, parent_name VARCHAR, name VARCHAR,
--          category VARCHAR, class VARCHAR, part VARCHAR, task_type VARCHAR,
--          stream_id BIGINT, task_id BIGINT, connection_id BIGINT,
--          step INTEGER, step_ts BIGINT, phase VARCHAR, unfinished BOOLEAN,
--          arg_set_id BIGINT, kernel_id BIGINT
-- needs:   slice, track, step, kernel
WITH one AS (
  SELECT *
  FROM slice
  WHERE slice_id = $slice_id
)
SELECT
  s.slice_id,
  s.rank,
  t.device_id,
  s.track_id,
  t.kind AS lane_kind,
  t.process_name,
  t.thread_name,
  t.group,
  s.ts,
  s.dur,
  s.end_ts,
  s.depth,
  s.sublane,
  s.parent_id,
  p.name AS parent_name,
  s.name,
  s.category,
  s.class,
  s.part,
  s.task_type,
  s.stream_id,
  s.task_id,
  s.connection_id,
  s.step,
  e.ts AS step_ts,
  s.phase,
  s.unfinished,
  s.arg_set_id,
  k.kernel_id
FROM one AS s
LEFT JOIN track AS t ON t.track_id = s.track_id
LEFT JOIN slice AS p ON p.slice_id = s.parent_id
LEFT JOIN step AS e ON e.rank = s.rank AND e.step = s.step
LEFT JOIN (
  SELECT slice_id, min(kernel_id) AS kernel_id
  FROM kernel
  WHERE slice_id = $slice_id
  GROUP BY slice_id
) AS k ON k.slice_id = s.slice_id
