-- How late each peer came to a collective, and whether the store holds that
-- rank: NULL where nothing says which rank a peer is.
SELECT
  p.*,
  CASE
    WHEN p.peer IS NOT NULL
    THEN p.peer IN (SELECT rank FROM all_rank)
  END AS collected
FROM peer_arrival AS p
