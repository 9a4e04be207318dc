-- table: peer_wait
-- about: The first wait of a collective for each peer: how late it came.
SELECT
  collective_slice_id,
  peer,
  arg_min(dur, (ts, slice_id)) AS wait_ns
FROM plane_task
WHERE NOT moves AND peer IS NOT NULL
GROUP BY collective_slice_id, peer
