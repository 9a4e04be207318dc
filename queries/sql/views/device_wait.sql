-- What the device waited for.
-- event:  a task that waits for another stream.
-- notify: a task that waits for another rank, where the planes of collectives
--         were not collected.
-- peer:   the part wait_ns of a collective in which its planes only wait.
-- A wait that a plane and a stream both show counts with its collective only.
SELECT
  w.kind,
  w.rank,
  w.device_id,
  s.step,
  w.slice_id,
  s.track_id,
  s.name,
  s.ts,
  s.dur,
  s.dur AS wait_ns,
  NULL::BIGINT AS collective_id,
  NULL::INTEGER AS last_peer,
  NULL::INTEGER AS last_number
FROM event_wait AS w
JOIN slice AS s ON s.slice_id = w.slice_id
UNION ALL
SELECT
  'peer' AS kind,
  c.rank,
  c.device_id,
  c.step,
  c.slice_id,
  s.track_id,
  c.name,
  c.ts,
  c.dur,
  c.wait_ns,
  c.collective_id,
  c.last_peer,
  c.last_number
FROM collective AS c
LEFT JOIN slice AS s ON s.slice_id = c.slice_id
WHERE c.wait_ns > 0
