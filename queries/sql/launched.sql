-- title:   Launched by a call
-- about:   The device slices that a host slice, or any call inside it, launched
--          or put into the task queue, in the order in which they ran.
-- param:   slice_id BIGINT      the host slice
-- param:   limit BIGINT = NULL  so many rows
-- columns: slice_id BIGINT, rank INTEGER, track_id BIGINT, ts BIGINT,
--          dur BIGINT, name VARCHAR, class VARCHAR, host_slice_id BIGINT,
--          enqueue_slice_id BIGINT, launch_ts BIGINT, method VARCHAR,
--          inferred BOOLEAN
-- needs:   slice, launch_link
SELECT
  s.slice_id,
  s.rank,
  s.track_id,
  s.ts,
  s.dur,
  s.name,
  s.class,
  l.host_slice_id,
  l.enqueue_slice_id,
  l.launch_ts,
  l.method,
  l.inferred
FROM launched_by($slice_id) AS l
JOIN slice AS s ON s.slice_id = l.slice_id
ORDER BY s.ts, s.slice_id
LIMIT $limit
