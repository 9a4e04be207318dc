-- table: vendor_link
-- about: The vendor's figures of links, with the group and the receiver's rank
--        as the timeline's collectives of the same group have them.
WITH groups AS (
  SELECT v."group", any_value(c."group") AS own_group
  FROM vendor_collective AS v
  JOIN collective AS c USING (collective_id)
  GROUP BY v."group"
)
SELECT
  $rank::INTEGER AS rank,
  f.*,
  g.own_group,
  m.peer
FROM link_figure AS f
LEFT JOIN groups AS g ON f."group" = g."group"
LEFT JOIN group_member AS m ON m."group" = g.own_group AND m.number = f.dst
WHERE f.step IS NULL OR f.step BETWEEN $first_step AND $last_step
