-- What the device waited for.
-- event:  a task that waits for another stream.
-- notify: a task that waits for another rank, where the planes of collectives
--         were not collected.
-- peer:   the part wait_ns of a collective in which its planes only wait.
-- A wait that a plane and a stream both show counts with its collective only.
WITH task AS (
  SELECT s.*, t.device_id, t.kind AS lane
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind IN ('stream', 'plane')
    AND s.class = 'wait'
), single AS (
  SELECT *
  FROM task AS s
  WHERE s.lane = 'stream'
    AND NOT EXISTS (
      SELECT 1
      FROM task AS p
      WHERE p.lane = 'plane'
        AND p.rank = s.rank
        AND p.ts = s.ts
        AND p.dur = s.dur
        AND coalesce(p.stream_id, s.stream_id)
          IS NOT DISTINCT FROM s.stream_id
    )
)
SELECT
  -- Writers spell it Notify Wait, NOTIFY_WAIT and NOTIFY_WAIT_SQE.
  CASE
    WHEN starts_with(
      upper(replace(coalesce(task_type, name), ' ', '_')), 'NOTIFY_WAIT'
    ) THEN 'notify'
    ELSE 'event'
  END AS kind,
  rank,
  device_id,
  step,
  slice_id,
  track_id,
  name,
  ts,
  dur,
  dur AS wait_ns,
  NULL::BIGINT AS collective_id,
  NULL::INTEGER AS last_peer,
  NULL::INTEGER AS last_number
FROM single
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
