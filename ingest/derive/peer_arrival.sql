-- table: peer_arrival
-- about: How late each peer came to a collective, by the first wait for it.
SELECT
  c.collective_id,
  $rank::INTEGER AS rank,
  w.number,
  w.peer,
  w.wait_ns,
  w.slice_id,
  coalesce(w.inferred, false) AS inferred,
  'notify_wait' AS source
FROM peer_wait AS w
JOIN collective AS c ON w.collective_slice_id = c.slice_id
ORDER BY c.collective_id, w.number
