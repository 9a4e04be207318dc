-- title:   Iterations by kind
-- about:   How long iterations take, by what they are for (train, prefill,
--          decode, mixed; iteration where that is not known) and in parts:
--          the whole (iteration), the gap before it from the last task of the
--          one before to its first, and its run on the device. Time without a
--          request is in none of them. Warm-up is left out; outliers, as steps
--          tells them, are in and counted. The cause of a gap is that of most
--          of its idle and waiting time.
-- param:   rank INTEGER = NULL  only this rank
-- param:   kind VARCHAR = NULL of
--          train|iteration|prefill|decode|mixed  only this kind
-- param:   part VARCHAR = NULL of iteration|gap|run  only this part
-- columns: rank INTEGER, kind VARCHAR, part VARCHAR, source VARCHAR,
--          inferred BOOLEAN, count BIGINT, outliers BIGINT, p50 BIGINT,
--          p90 BIGINT, p99 BIGINT, max BIGINT, total BIGINT,
--          slowest_step INTEGER, tokens BIGINT, tokens_per_s DOUBLE,
--          main_cause VARCHAR, main_cause_ns BIGINT, no_work_ns BIGINT
-- needs:   stall, iteration
WITH judged AS (
  FROM iteration
  WHERE warmup IS NOT TRUE
    AND ($rank IS NULL OR rank = $rank)
    AND ($kind IS NULL OR kind = $kind)
), parts AS (
  SELECT *, 'iteration' AS part, served_ns AS ns FROM judged
  UNION ALL
  SELECT *, 'gap', gap_ns FROM judged WHERE gap_ns IS NOT NULL
  UNION ALL
  SELECT *, 'run', run_ns FROM judged WHERE run_ns IS NOT NULL
), summed AS (
  SELECT
    rank,
    kind,
    part,
    any_value(source) AS source,
    bool_or(inferred) AS inferred,
    count(*) AS count,
    count(*) FILTER (outlier) AS outliers,
    quantile_disc(ns, 0.5) AS p50,
    quantile_disc(ns, 0.9) AS p90,
    quantile_disc(ns, 0.99) AS p99,
    max(ns) AS max,
    sum(ns)::BIGINT AS total,
    arg_max(step, (ns, -ts)) AS slowest_step,
    sum(tokens)::BIGINT AS tokens,
    -- What is not known of one of them is not known of all.
    count(tokens) = count(*) AS counted,
    sum(no_work_ns)::BIGINT AS no_work_ns
  FROM parts
  WHERE $part IS NULL OR part = $part
  GROUP BY rank, kind, part
), spent AS (
  SELECT j.rank, j.kind, s.cause, sum(s.dur)::BIGINT AS ns
  FROM stall AS s
  JOIN judged AS j ON j.rank = s.rank AND j.step = s.step
  WHERE j.gap_ns IS NOT NULL
    AND s.ts < j.device_ts
    AND s.cause <> 'no_work'
  GROUP BY j.rank, j.kind, s.cause
), main AS (
  SELECT rank, kind, arg_max(cause, (ns, cause)) AS cause, max(ns) AS ns
  FROM spent
  GROUP BY rank, kind
)
SELECT
  s.rank,
  s.kind,
  s.part,
  s.source,
  s.inferred,
  s.count,
  s.outliers,
  s.p50,
  s.p90,
  s.p99,
  s.max,
  s.total,
  s.slowest_step,
  CASE WHEN s.counted AND s.part = 'iteration' THEN s.tokens END AS tokens,
  CASE WHEN s.counted AND s.part = 'iteration'
    THEN 1e9 * s.tokens / nullif(s.total, 0)
  END AS tokens_per_s,
  CASE WHEN s.part = 'gap' THEN m.cause END AS main_cause,
  CASE WHEN s.part = 'gap' THEN m.ns END AS main_cause_ns,
  CASE WHEN s.part = 'iteration' THEN s.no_work_ns END AS no_work_ns
FROM summed AS s
LEFT JOIN main AS m ON m.rank = s.rank AND m.kind = s.kind
ORDER BY
  s.rank,
  list_position(
    ['prefill', 'decode', 'mixed', 'iteration', 'train'], s.kind
  ),
  list_position(['iteration', 'gap', 'run'], s.part)
