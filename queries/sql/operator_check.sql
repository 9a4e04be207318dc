-- title:   Operators beside the vendor's sums
-- about:   The kernels of each type and core, counted and summed up, beside
--          what op_statistic.csv says of them, and why they may differ:
--          difference is own less official. Both are of the whole collection.
-- param:   rank INTEGER = NULL  only this rank
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, type VARCHAR, core VARCHAR, count BIGINT,
--          official_count BIGINT, own BIGINT, official BIGINT,
--          difference BIGINT, about VARCHAR
-- needs:   operator_total, operator_statistic
WITH own AS (
  SELECT
    rank,
    type,
    core,
    sum(count)::BIGINT AS count,
    sum(total)::BIGINT AS total
  FROM operator_total
  WHERE $rank IS NULL OR rank = $rank
  GROUP BY rank, type, core
), official AS (
  FROM operator_statistic
  WHERE $rank IS NULL OR rank = $rank
), compared AS (
  SELECT
    coalesce(o.rank, f.rank) AS rank,
    coalesce(o.type, f.type) AS type,
    coalesce(o.core, f.core) AS core,
    o.count,
    f.count AS official_count,
    o.total AS own,
    f.total AS official,
    o.total - f.total AS difference
  FROM own AS o
  FULL JOIN official AS f
    ON f.rank = o.rank AND f.type = o.type AND f.core = o.core
  -- Ranks without the file have nothing to be compared with.
  WHERE coalesce(o.rank, f.rank) IN (SELECT rank FROM official)
)
SELECT
  rank,
  type,
  core,
  count,
  official_count,
  own,
  official,
  difference,
  CASE
    WHEN count IS NULL THEN 'the kernel table has no such kernel'
    WHEN communicates(core)
      AND official_count IS NULL
      THEN 'the file leaves collectives out'
    WHEN official_count IS NULL THEN 'the file has no such operator'
    WHEN count <> official_count THEN 'other kernels are counted'
    WHEN difference = 0 THEN 'equal'
    WHEN abs(difference) <= (count + 1) // 2
      THEN 'half a ns per call: here each was rounded, there only the sum'
    ELSE 'the same calls with other lengths'
  END AS about
FROM compared
ORDER BY
  abs(difference) DESC NULLS FIRST, official DESC, own DESC, rank, type, core
LIMIT $limit
