-- The ranks of the job, whether or not they are in this data.
WITH here AS (
  SELECT
    max(world_size) AS world_size,
    greatest(max(rank), (SELECT max(rank) FROM all_rank)) + 1 AS least,
    bool_and(rank_known) AS known
  FROM profile
), present AS (
  SELECT rank FROM profile
  UNION
  SELECT rank FROM all_rank
), seen AS (
  -- A number in a group is less than the size of the group, and of the job.
  SELECT max(greatest(size, highest)) AS ranks
  FROM (
    SELECT
      count(DISTINCT number) AS size,
      max(greatest(number, peer)) + 1 AS highest
    FROM group_member
    GROUP BY rank, "group"
  )
), counted AS (
  SELECT
    h.known,
    greatest(
      h.least, coalesce(h.world_size, s.ranks, h.least)
    )::INTEGER AS ranks,
    CASE
      WHEN h.world_size IS NOT NULL THEN 'world_size'
      WHEN s.ranks IS NOT NULL THEN 'groups'
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
  c.source = 'groups' AS inferred
FROM numbered AS n
CROSS JOIN counted AS c
LEFT JOIN present AS p ON p.rank = n.rank
-- Where only those here are known, the numbers between them say nothing.
WHERE p.rank IS NOT NULL OR c.source <> 'profiles'
