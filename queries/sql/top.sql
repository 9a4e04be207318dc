-- title:   Top operators
-- about:   Operators by the time that they take; by groups their calls by name,
--          type, core, shape (of the inputs, per type), dtype (likewise) or
--          stream. avg is in whole ns, rounded down; spread is max over min.
--          Of the shares, period_share is of the periods of the steps, for the
--          time inside them; kernel_share of the time of all kernels but
--          collectives, for which it is NULL; cumulative_share that of all rows
--          down to this one. Kernels of several streams run at once, so shares
--          can sum to more than 1. A range of time holds what begins in it,
--          of which total is the whole and inside what lies in the range; its
--          period_share is of inside.
-- param:   by VARCHAR = 'name' of
--          name|type|core|shape|dtype|stream  what is summed
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step; else kernels outside steps too
-- param:   core VARCHAR = NULL  only what ran on this core (AI_CPU, MIX_AIC, …)
-- param:   from_ts BIGINT = NULL  only from this instant on, ns
-- param:   to_ts BIGINT = NULL  only before this instant, ns
-- param:   percentiles BOOLEAN = FALSE  p50 and p95 too, which takes longer
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, name VARCHAR, type VARCHAR, core VARCHAR,
--          count BIGINT, total BIGINT, avg BIGINT, min BIGINT, max BIGINT,
--          period_share DOUBLE, kernel_share DOUBLE, cumulative_share DOUBLE,
--          spread DOUBLE, p50 BIGINT, p95 BIGINT, names BIGINT,
--          input_shapes VARCHAR, input_dtypes VARCHAR, stream_id BIGINT,
--          inside BIGINT
-- needs:   operator_total, kernel, step
WITH periods AS (
  SELECT
    rank,
    sum(greatest(
      0,
      least(ts + dur, coalesce($to_ts, ts + dur))
        - greatest(ts, coalesce($from_ts, ts))
    )) AS period
  FROM step
  WHERE ts IS NOT NULL
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank
), picked AS (
  -- The totals hold no single call: what they cannot tell is NULL here.
  SELECT
    rank,
    step,
    name,
    type,
    core,
    NULL::VARCHAR AS input_shapes,
    NULL::VARCHAR AS input_dtypes,
    NULL::BIGINT AS stream_id,
    count,
    total,
    min,
    max,
    NULL::BIGINT AS dur,
    total AS inside
  FROM operator_total
  WHERE $by IN ('name', 'type', 'core')
    AND $percentiles IS NOT TRUE
    AND $from_ts IS NULL
    AND $to_ts IS NULL
  UNION ALL
  SELECT
    rank, step, name, type, core, input_shapes, input_dtypes, stream_id,
    1, dur, dur, dur, dur, least(dur, $to_ts - ts)
  FROM kernel
  WHERE ($by NOT IN ('name', 'type', 'core') OR $percentiles
      OR $from_ts IS NOT NULL OR $to_ts IS NOT NULL)
    AND ($from_ts IS NULL OR ts >= $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
), operators AS (
  SELECT
    rank,
    CASE WHEN $by = 'name' THEN name END AS name,
    CASE WHEN $by IN ('name', 'type', 'shape', 'dtype') THEN type END AS type,
    CASE WHEN $by <> 'stream' THEN core END AS core,
    CASE WHEN $by = 'shape' THEN input_shapes END AS input_shapes,
    CASE WHEN $by = 'dtype' THEN input_dtypes END AS input_dtypes,
    CASE WHEN $by = 'stream' THEN stream_id END AS stream_id,
    count(DISTINCT name) AS names,
    sum(count)::BIGINT AS count,
    sum(total)::BIGINT AS total,
    sum(inside)::BIGINT AS inside,
    sum(inside) FILTER (step IS NOT NULL) AS stepped,
    sum(total) FILTER (NOT communicates(core)) AS computed,
    min(min) AS min,
    max(max) AS max,
    quantile_disc(dur, 0.5) FILTER ($percentiles) AS p50,
    quantile_disc(dur, 0.95) FILTER ($percentiles) AS p95
  FROM picked
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY ALL
), shared AS (
  SELECT
    o.*,
    o.stepped / nullif(p.period, 0) AS period_share,
    o.computed / nullif(sum(o.computed) OVER (PARTITION BY o.rank), 0)
      AS kernel_share
  FROM operators AS o
  LEFT JOIN periods AS p ON p.rank = o.rank
)
SELECT
  rank,
  name,
  type,
  core,
  count,
  total,
  total // nullif(count, 0) AS avg,
  min,
  max,
  period_share,
  kernel_share,
  CASE
    WHEN kernel_share IS NOT NULL THEN sum(kernel_share) OVER (
      PARTITION BY rank
      ORDER BY total DESC, name, type, core, input_shapes, input_dtypes,
        stream_id
      ROWS UNBOUNDED PRECEDING
    )
  END AS cumulative_share,
  max / nullif(min, 0) AS spread,
  p50,
  p95,
  names,
  input_shapes,
  input_dtypes,
  stream_id,
  inside
FROM shared
WHERE $core IS NULL OR core = $core
ORDER BY
  total DESC, rank, name, type, core, input_shapes, input_dtypes, stream_id
LIMIT $limit
