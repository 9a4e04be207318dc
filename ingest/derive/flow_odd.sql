-- table: flow_odd
-- about: Ends of arrows whose id has not just one start and one end, numbered in
--        time; at one instant starts come before steps and ends.
WITH odd AS (
  SELECT category, key
  FROM flow_end
  GROUP BY category, key
  HAVING count(*) <> 2 OR count(*) FILTER (phase = 0) <> 1
)
SELECT
  e.*,
  row_number() OVER (
    PARTITION BY e.category, e.key ORDER BY e.ts, e.phase, e.seq
  ) AS place
FROM flow_end AS e
SEMI JOIN odd AS o ON e.category = o.category AND e.key = o.key
