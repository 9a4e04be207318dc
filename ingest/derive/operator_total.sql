-- table: operator_total
-- about: Totals per step and operator.
SELECT
  $rank::INTEGER AS rank,
  step,
  name,
  type,
  core,
  count(*) AS count,
  try_cast(sum(dur) AS BIGINT) AS total,
  min(dur) AS min,
  max(dur) AS max
FROM kernel
GROUP BY step, name, type, core
ORDER BY step, total DESC, name, type, core
