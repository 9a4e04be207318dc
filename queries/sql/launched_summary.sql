-- title:   What a call launched
-- about:   How many device slices a host slice, or any call inside it, launched
--          or put into the task queue, the first and the last of them, and how
--          many of the links are a conclusion. total is the sum of their
--          lengths. launched lists them.
-- param:   slice_id BIGINT  the host slice
-- columns: count BIGINT, total BIGINT, ts BIGINT, end_ts BIGINT,
--          first_slice_id BIGINT, first_name VARCHAR,
--          last_slice_id BIGINT, last_name VARCHAR, inferred BIGINT
-- needs:   slice, launch_link
WITH call AS (
  SELECT *
  FROM slice
  WHERE slice_id = $slice_id
), inside AS (
  SELECT s.slice_id
  FROM slice AS s
  JOIN call AS c ON c.track_id = s.track_id
  WHERE s.ts >= c.ts
    AND s.end_ts <= c.end_ts
    -- Of twins in time, only what lies deeper is inside.
    AND (s.depth > c.depth OR s.slice_id = c.slice_id)
), link AS (
  SELECT slice_id, inferred
  FROM launch_link
  WHERE host_slice_id IN (SELECT slice_id FROM inside)
    OR enqueue_slice_id IN (SELECT slice_id FROM inside)
)
SELECT
  count(*) AS count,
  sum(s.dur)::BIGINT AS total,
  min(s.ts) AS ts,
  max(s.end_ts) AS end_ts,
  arg_min(s.slice_id, (s.ts, s.slice_id)) AS first_slice_id,
  arg_min(s.name, (s.ts, s.slice_id)) AS first_name,
  arg_max(s.slice_id, (s.ts, s.slice_id)) AS last_slice_id,
  arg_max(s.name, (s.ts, s.slice_id)) AS last_name,
  count(*) FILTER (l.inferred) AS inferred
FROM link AS l
JOIN slice AS s ON s.slice_id = l.slice_id
HAVING count(*) > 0
