-- table: peer_wait
-- about: The first wait of a collective for each peer: how late it came.
WITH first AS (
  SELECT
    collective_slice_id,
    group_name,
    number,
    arg_min(slice_id, (ts, slice_id)) AS slice_id,
    arg_min(dur, (ts, slice_id)) AS wait_ns
  FROM plane_task
  WHERE NOT moves AND number IS NOT NULL
  GROUP BY collective_slice_id, group_name, number
)
SELECT f.*, m.peer, m.inferred
FROM first AS f
LEFT JOIN group_member AS m
  ON f.group_name IS NOT DISTINCT FROM m."group" AND f.number = m.number
