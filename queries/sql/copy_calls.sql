-- title:   Copies one by one
-- about:   Copies of the device outside collectives, longest first. Streams
--          that only carry out what collectives do are left out: their tasks
--          count as part of the collective. Direction and bytes are those of
--          the file, else of the framework's call around the launch
--          (inferred), else NULL. staging_bytes_per_s is the size by the time
--          before the copy.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only this step
-- param:   direction VARCHAR = NULL of H2D|D2H|D2D|P2P  only this direction
-- param:   task_type VARCHAR = NULL  only this task type, as the file writes it
-- param:   name VARCHAR = NULL       only copies of this name
-- param:   from_ts BIGINT = NULL     only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL       only what begins before this instant, ns
-- param:   limit BIGINT = NULL       so many rows
-- columns: slice_id BIGINT, rank INTEGER, device_id INTEGER, step INTEGER,
--          track_id BIGINT, stream_id BIGINT, task_type VARCHAR,
--          name VARCHAR, ts BIGINT, dur BIGINT, direction VARCHAR,
--          bytes BIGINT, bytes_per_s DOUBLE, exposed_ns BIGINT,
--          blocking BOOLEAN, staging_ns BIGINT, staging_bytes_per_s DOUBLE,
--          operator_name VARCHAR, call_slice_id BIGINT,
--          sync_slice_id BIGINT, inferred BOOLEAN
-- needs:   device_copy, slice
WITH copies AS (
  SELECT *
  FROM device_copy
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($direction IS NULL OR direction = $direction)
    AND ($task_type IS NULL OR task_type = $task_type)
    AND ($name IS NULL OR name = $name)
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  ORDER BY dur DESC, slice_id
  LIMIT $limit
)
SELECT
  c.slice_id,
  c.rank,
  c.device_id,
  c.step,
  c.track_id,
  c.stream_id,
  c.task_type,
  c.name,
  c.ts,
  c.dur,
  c.direction,
  c.bytes,
  c.bytes * 1e9 / nullif(c.dur, 0) AS bytes_per_s,
  c.exposed_ns,
  c.blocking,
  c.staging_ns,
  c.bytes * 1e9 / nullif(c.staging_ns, 0) AS staging_bytes_per_s,
  o.name AS operator_name,
  c.call_slice_id,
  c.sync_slice_id,
  c.inferred
FROM copies AS c
LEFT JOIN slice AS o ON o.slice_id = c.operator_slice_id
ORDER BY c.dur DESC, c.slice_id
