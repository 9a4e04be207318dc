-- title:   Idle time that an event wait holds
-- about:   Stretches in which the device does nothing but wait for an event,
--          each with the wait and, along the chain of waits, what it really
--          waited for (see wait_roots); longest first. A wait that runs while
--          the host is late holds nothing, and is not among them.
-- param:   rank INTEGER = NULL   only this rank
-- param:   step INTEGER = NULL   only this step
-- param:   gap_id BIGINT = NULL  only in this gap of kind device
-- param:   limit BIGINT = NULL   so many rows
-- columns: stall_id BIGINT, rank INTEGER, device_id INTEGER, step INTEGER,
--          gap_id BIGINT, ts BIGINT, dur BIGINT, wait_slice_id BIGINT,
--          wait_name VARCHAR, wait_dur BIGINT, record_slice_id BIGINT,
--          producer_slice_id BIGINT, producer_name VARCHAR, depth INTEGER,
--          root_slice_id BIGINT, root_name VARCHAR, collective_id BIGINT,
--          last_peer INTEGER, last_number INTEGER, next_slice_id BIGINT,
--          next_name VARCHAR
-- needs:   stall, event_wait, slice, collective
WITH held AS (
  SELECT t.*, w.slice_id AS wait_slice_id, w.* EXCLUDE (
    slice_id, rank, device_id, inferred
  )
  FROM stall AS t
  JOIN event_wait AS w ON w.slice_id = t.evidence_slice_id
  WHERE t.cause = 'wait_event'
    AND ($rank IS NULL OR t.rank = $rank)
    AND ($step IS NULL OR t.step = $step)
    AND ($gap_id IS NULL OR t.gap_id = $gap_id)
  ORDER BY t.dur DESC, t.stall_id
  LIMIT $limit
), named AS MATERIALIZED (
  -- One look at the slices for all.
  SELECT slice_id, name, dur
  FROM slice
  WHERE slice_id IN (
    SELECT unnest(
      [wait_slice_id, producer_slice_id, root_slice_id, next_slice_id]
    )
    FROM held
  )
)
SELECT
  h.stall_id,
  h.rank,
  h.device_id,
  h.step,
  h.gap_id,
  h.ts,
  h.dur,
  h.wait_slice_id,
  w.name AS wait_name,
  w.dur AS wait_dur,
  h.record_slice_id,
  h.producer_slice_id,
  p.name AS producer_name,
  h.depth,
  h.root_slice_id,
  o.name AS root_name,
  c.collective_id,
  c.last_peer,
  c.last_number,
  h.next_slice_id,
  n.name AS next_name
FROM held AS h
JOIN named AS w ON w.slice_id = h.wait_slice_id
LEFT JOIN named AS p ON p.slice_id = h.producer_slice_id
LEFT JOIN named AS o ON o.slice_id = h.root_slice_id
LEFT JOIN collective AS c ON c.slice_id = h.root_slice_id
LEFT JOIN named AS n ON n.slice_id = h.next_slice_id
ORDER BY h.dur DESC, h.stall_id
