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
FROM launched_by($slice_id) AS l
JOIN slice AS s ON s.slice_id = l.slice_id
HAVING count(*) > 0
