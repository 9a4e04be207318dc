-- title:   Top operators
-- about:   Operators by the time that they take. avg is in whole ns, rounded
--          down. period_share: their time inside steps over the periods of the
--          steps. kernel_share: of the time of all kernels but collectives,
--          for which it is NULL. Kernels of several streams run at once, so
--          shares can sum to more than 1.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step; else kernels outside steps too
-- param:   core VARCHAR = NULL  only what ran on this core (AI_CPU, MIX_AIC, …)
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, name VARCHAR, type VARCHAR, core VARCHAR,
--          count BIGINT, total BIGINT, avg BIGINT, min BIGINT, max BIGINT,
--          period_share DOUBLE, kernel_share DOUBLE
-- needs:   operator_total, step
WITH periods AS (
  SELECT rank, sum(dur) AS period
  FROM step
  WHERE $step IS NULL OR step = $step
  GROUP BY rank
), operators AS (
  SELECT
    rank,
    name,
    type,
    core,
    communicates(core) AS communicates,
    sum(count) AS count,
    sum(total) AS total,
    sum(total) FILTER (step IS NOT NULL) AS stepped,
    min(min) AS min,
    max(max) AS max
  FROM operator_total
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, name, type, core
), shared AS (
  SELECT
    o.*,
    o.stepped / nullif(p.period, 0) AS period_share,
    CASE
      WHEN NOT o.communicates THEN o.total / nullif(
        sum(o.total) FILTER (NOT o.communicates) OVER (PARTITION BY o.rank), 0
      )
    END AS kernel_share
  FROM operators AS o
  LEFT JOIN periods AS p ON p.rank = o.rank
)
SELECT
  rank,
  name,
  type,
  core,
  count::BIGINT AS count,
  total::BIGINT AS total,
  (total // nullif(count, 0))::BIGINT AS avg,
  min,
  max,
  period_share,
  kernel_share
FROM shared
WHERE $core IS NULL OR core = $core
ORDER BY total DESC, rank, name, type, core
LIMIT $limit
