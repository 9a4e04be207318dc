-- table: operator_total
-- about: Totals per step and operator.
WITH shaped AS (
  -- Numbers are grouped faster than texts.
  SELECT
    step,
    shape_id,
    count(*) AS count,
    sum(dur) AS total,
    min(dur) AS min,
    max(dur) AS max
  FROM kernel
  GROUP BY step, shape_id
)
SELECT
  $rank::INTEGER AS rank,
  k.step,
  s.name,
  s.type,
  s.core,
  sum(k.count)::BIGINT AS count,
  try_cast(sum(k.total) AS BIGINT) AS total,
  min(k.min) AS min,
  max(k.max) AS max
FROM shaped AS k
JOIN kernel_shape AS s USING (shape_id)
GROUP BY k.step, s.name, s.type, s.core
ORDER BY step, total DESC, name, type, core
