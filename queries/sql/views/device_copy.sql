-- Copies of the device outside collectives, with what is known of each. Streams
-- that only carry out what collectives do are left out: their tasks count as
-- part of the collective.
SELECT
  s.slice_id,
  s.rank,
  t.device_id,
  s.step,
  s.track_id,
  t.stream_id,
  s.task_type,
  s.name,
  s.ts,
  s.dur,
  c.direction,
  c.bytes,
  c.exposed_ns,
  c.call_slice_id,
  c.operator_slice_id,
  c.sync_slice_id,
  c.blocking,
  c.staging_ns,
  c.inferred
FROM copy AS c
JOIN slice AS s ON s.slice_id = c.slice_id
JOIN track AS t ON t.track_id = s.track_id
