-- title:   Operator types
-- about:   As top, by operator type: MatMulV2 instead of each of its kernels.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step; else kernels outside steps too
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, type VARCHAR, core VARCHAR, names BIGINT,
--          count BIGINT, total BIGINT, avg BIGINT, min BIGINT, max BIGINT,
--          period_share DOUBLE, kernel_share DOUBLE
-- needs:   operator_total, step
WITH periods AS (
  SELECT rank, sum(dur) AS period
  FROM step
  WHERE $step IS NULL OR step = $step
  GROUP BY rank
), types AS (
  SELECT
    rank,
    type,
    core,
    communicates(core) AS communicates,
    count(DISTINCT name) AS names,
    sum(count) AS count,
    sum(total) AS total,
    sum(total) FILTER (step IS NOT NULL) AS stepped,
    min(min) AS min,
    max(max) AS max
  FROM operator_total
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, type, core
)
SELECT
  t.rank,
  t.type,
  t.core,
  t.names,
  t.count::BIGINT AS count,
  t.total::BIGINT AS total,
  (t.total // nullif(t.count, 0))::BIGINT AS avg,
  t.min,
  t.max,
  t.stepped / nullif(p.period, 0) AS period_share,
  CASE
    WHEN NOT t.communicates THEN t.total / nullif(
      sum(t.total) FILTER (NOT t.communicates) OVER (PARTITION BY t.rank), 0
    )
  END AS kernel_share
FROM types AS t
LEFT JOIN periods AS p ON p.rank = t.rank
ORDER BY t.total DESC, t.rank, t.type, t.core
LIMIT $limit
