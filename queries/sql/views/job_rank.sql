-- The ranks of the job, whether or not they are in this data.
WITH here AS (
  SELECT
    max(world_size) AS world_size,
    max(rank) + 1 AS least,
    bool_and(rank_known) AS known
  FROM profile
), grouped AS (
  -- A rank does not wait for itself.
  SELECT count(DISTINCT p.peer) + 1 AS size, max(p.peer) + 1 AS highest
  FROM peer_arrival AS p
  JOIN collective AS c ON c.collective_id = p.collective_id
  GROUP BY p.rank, c."group"
), seen AS (
  SELECT max(greatest(size, highest)) AS ranks FROM grouped
), counted AS (
  SELECT
    h.known,
    greatest(
      h.least, coalesce(h.world_size, s.ranks, h.least)
    )::INTEGER AS ranks,
    CASE
      WHEN h.world_size IS NOT NULL THEN 'world_size'
      WHEN s.ranks IS NOT NULL THEN 'peers'
      ELSE 'profiles'
    END AS source
  FROM here AS h
  CROSS JOIN seen AS s
), numbered AS (
  SELECT unnest(range(ranks))::INTEGER AS rank FROM counted
)
SELECT
  n.rank,
  CASE WHEN p.rank IS NOT NULL THEN TRUE WHEN c.known THEN FALSE END
    AS collected,
  c.ranks,
  c.source,
  c.source = 'peers' AS inferred
FROM numbered AS n
CROSS JOIN counted AS c
LEFT JOIN profile AS p ON p.rank = n.rank
-- Where only those here are known, the numbers between them say nothing.
WHERE p.rank IS NOT NULL OR c.source <> 'profiles'
