-- title:   Copies one by one
-- about:   Copies of the device outside collectives, longest first. Streams
--          that only carry out what collectives do are left out: their tasks
--          count as part of the collective.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only this step
-- param:   task_type VARCHAR = NULL  only this task type, as the file writes it
-- param:   name VARCHAR = NULL       only copies of this name
-- param:   from_ts BIGINT = NULL     only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL       only what begins before this instant, ns
-- param:   limit BIGINT = NULL       so many rows
-- columns: slice_id BIGINT, rank INTEGER, device_id INTEGER, step INTEGER,
--          track_id BIGINT, stream_id BIGINT, task_type VARCHAR,
--          name VARCHAR, ts BIGINT, dur BIGINT, arg_set_id BIGINT
-- needs:   device_copy
SELECT
  slice_id,
  rank,
  device_id,
  step,
  track_id,
  stream_id,
  task_type,
  name,
  ts,
  dur,
  arg_set_id
FROM device_copy
WHERE ($rank IS NULL OR rank = $rank)
  AND ($step IS NULL OR step = $step)
  AND ($task_type IS NULL OR task_type = $task_type)
  AND ($name IS NULL OR name = $name)
  AND ($from_ts IS NULL OR ts + dur > $from_ts)
  AND ($to_ts IS NULL OR ts < $to_ts)
ORDER BY dur DESC, slice_id
LIMIT $limit
