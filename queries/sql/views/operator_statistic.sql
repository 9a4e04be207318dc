-- The vendor's own totals by operator type and core, of op_statistic.csv: of
-- the whole collection, in ns. Without the file there are no rows.
SELECT
  rank,
  "OP Type" AS type,
  "Core Type" AS core,
  sum(try_cast("Count" AS BIGINT))::BIGINT AS count,
  try_cast(
    sum(try_cast("Total Time(us)" AS DECIMAL(30, 6)) * 1000) AS BIGINT
  ) AS total
FROM op_statistic
GROUP BY rank, "OP Type", "Core Type"
