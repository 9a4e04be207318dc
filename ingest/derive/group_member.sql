-- table: group_member
-- about: The ranks of each communication group by the numbers that the group has
--        for them. The profile's own list of a group says which rank a number is.
--        Without it, and with this rank's number equal to its rank, the numbers
--        are the ranks of a group that is the whole job, or seems to be because
--        the profile has no other.
WITH seen AS (
  SELECT DISTINCT l.group_name, n.text AS name
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE l.kind = 'group'
), tails AS (
  -- hcom_allReduce__586_0_1: the last digits of the group's hash.
  SELECT DISTINCT
    group_name, regexp_extract(name, '^hcom_\w*?__(\d+)_', 1) AS tail
  FROM seen
), hashes AS (
  SELECT DISTINCT name, hash FROM listed_group
), by_name AS (
  SELECT DISTINCT t.group_name, h.name
  FROM tails AS t
  JOIN hashes AS h ON t.group_name IN (h.name, h.hash)
), by_tail AS (
  SELECT t.group_name, min(h.name) AS name
  FROM tails AS t
  JOIN hashes AS h ON length(t.tail) > 0 AND ends_with(h.hash, t.tail)
  WHERE t.group_name NOT IN (SELECT group_name FROM by_name)
  GROUP BY t.group_name
  HAVING count(DISTINCT h.name) = 1
), listed AS (
  SELECT b.group_name, g.number, g.rank
  FROM (FROM by_name UNION ALL FROM by_tail) AS b
  JOIN listed_group AS g USING (name)
), numbers AS (
  SELECT group_name, number, false AS own FROM plane_task WHERE number IS NOT NULL
  UNION
  SELECT group_name, own_number, true FROM plane_task WHERE own_number IS NOT NULL
), sizes AS (
  SELECT
    group_name,
    max(number) + 1 AS size,
    list(DISTINCT number) FILTER (own) AS own_numbers
  FROM numbers
  GROUP BY group_name
), whole AS (
  SELECT group_name, $world_size IS NULL AS inferred
  FROM sizes
  WHERE $rank_known
    AND own_numbers = [$rank::INTEGER]
    AND (
      size = $world_size
      OR ($world_size IS NULL AND (SELECT count(DISTINCT group_name) FROM seen) = 1)
    )
)
SELECT
  $rank::INTEGER AS rank, group_name AS "group", number, rank AS peer,
  false AS inferred
FROM listed
UNION ALL
SELECT DISTINCT
  $rank::INTEGER AS rank,
  n.group_name AS "group",
  n.number,
  CASE WHEN w.inferred IS NOT NULL THEN n.number END AS peer,
  coalesce(w.inferred, false) AS inferred
FROM numbers AS n
LEFT JOIN whole AS w ON n.group_name IS NOT DISTINCT FROM w.group_name
WHERE n.group_name IS NULL OR n.group_name NOT IN (SELECT group_name FROM listed)
ORDER BY "group", number
