-- title:   What bounds operators
-- about:   The busy shares of the units of the AI cores by operator type, as
--          means weighted by the time of the calls, most time first. bound is
--          the busiest unit where it is busy for least_ratio or more, else none
--          (latency, or units that wait for each other). bound_ns is the time
--          of the calls that some unit bounds for themselves, mte2_ns that of
--          those that wait for memory (mte2). A memory_bound above 1 says that
--          moving data takes longer than computing: mte2 / mac on cube cores,
--          the greater of mte2 and mte3 / vec on vector cores; memory_bound_ns
--          is the time of the calls of least_dur or more for which that is so.
--          Of a MIX kernel side is the one with the larger time. Calls whose
--          units were not measured have a row of their own, where all of this
--          is NULL: collect with aic_metrics=PipeUtilization.
-- param:   rank INTEGER = NULL        only this rank
-- param:   step INTEGER = NULL        only this step
-- param:   from_ts BIGINT = NULL      only kernels that begin here or later
-- param:   to_ts BIGINT = NULL        only kernels that begin before
-- param:   least_ratio DOUBLE = 0.8 <= 1  share from which a unit is the bound
-- param:   least_dur BIGINT = 20000   ns from which a kernel counts for it
-- param:   limit BIGINT = NULL        so many rows
-- columns: rank INTEGER, type VARCHAR, core VARCHAR, side VARCHAR,
--          count BIGINT, total BIGINT, kernel_share DOUBLE,
--          mac_ratio DOUBLE, vec_ratio DOUBLE, mte1_ratio DOUBLE,
--          mte2_ratio DOUBLE, mte3_ratio DOUBLE, fixpipe_ratio DOUBLE,
--          scalar_ratio DOUBLE, busiest VARCHAR, busiest_ratio DOUBLE,
--          bound VARCHAR, least_ratio DOUBLE, bound_ns BIGINT,
--          mte2_ns BIGINT, memory_bound DOUBLE, memory_bound_count BIGINT,
--          memory_bound_ns BIGINT, longest BIGINT
-- needs:   core_kernel
WITH typed AS MATERIALIZED (
  SELECT
    rank,
    type,
    core,
    side,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    -- A mean that leaves calls out would be that of others.
    CASE WHEN count(mac_ratio) = count(*) THEN
      sum(dur * mac_ratio) / nullif(sum(dur), 0)
    END AS mac_ratio,
    CASE WHEN count(vec_ratio) = count(*) THEN
      sum(dur * vec_ratio) / nullif(sum(dur), 0)
    END AS vec_ratio,
    CASE WHEN count(mte1_ratio) = count(*) THEN
      sum(dur * mte1_ratio) / nullif(sum(dur), 0)
    END AS mte1_ratio,
    CASE WHEN count(mte2_ratio) = count(*) THEN
      sum(dur * mte2_ratio) / nullif(sum(dur), 0)
    END AS mte2_ratio,
    CASE WHEN count(mte3_ratio) = count(*) THEN
      sum(dur * mte3_ratio) / nullif(sum(dur), 0)
    END AS mte3_ratio,
    CASE WHEN count(fixpipe_ratio) = count(*) THEN
      sum(dur * fixpipe_ratio) / nullif(sum(dur), 0)
    END AS fixpipe_ratio,
    CASE WHEN count(scalar_ratio) = count(*) THEN
      sum(dur * scalar_ratio) / nullif(sum(dur), 0)
    END AS scalar_ratio,
    sum(dur * moved) / nullif(sum(dur * computed), 0) AS memory_bound,
    sum(dur) FILTER (busiest_ratio >= $least_ratio) AS bound_ns,
    sum(dur) FILTER (busiest_ratio >= $least_ratio AND busiest = 'mte2')
      AS mte2_ns,
    count(*) FILTER (moved > computed AND dur >= $least_dur)
      AS memory_bound_count,
    sum(dur) FILTER (moved > computed AND dur >= $least_dur)
      AS memory_bound_ns,
    max(dur) AS longest
  FROM core_kernel
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($from_ts IS NULL OR ts >= $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  GROUP BY rank, type, core, side
), led AS (
  SELECT
    *,
    greatest(
      mac_ratio, vec_ratio, mte1_ratio, mte2_ratio, mte3_ratio, fixpipe_ratio,
      scalar_ratio
    ) AS busiest_ratio,
    CASE busiest_ratio
      WHEN mac_ratio THEN 'mac'
      WHEN vec_ratio THEN 'vec'
      WHEN mte1_ratio THEN 'mte1'
      WHEN mte2_ratio THEN 'mte2'
      WHEN mte3_ratio THEN 'mte3'
      WHEN fixpipe_ratio THEN 'fixpipe'
      WHEN scalar_ratio THEN 'scalar'
    END AS busiest,
    side IS NOT NULL AS measured
  FROM typed
)
SELECT
  rank,
  type,
  core,
  side,
  count,
  total,
  total / nullif(sum(total) OVER (PARTITION BY rank), 0) AS kernel_share,
  mac_ratio,
  vec_ratio,
  mte1_ratio,
  mte2_ratio,
  mte3_ratio,
  fixpipe_ratio,
  scalar_ratio,
  busiest,
  busiest_ratio,
  CASE
    WHEN busiest_ratio >= $least_ratio THEN busiest
    WHEN busiest_ratio IS NOT NULL THEN 'none'
  END AS bound,
  $least_ratio AS least_ratio,
  CASE WHEN measured THEN coalesce(bound_ns, 0)::BIGINT END AS bound_ns,
  CASE WHEN measured THEN coalesce(mte2_ns, 0)::BIGINT END AS mte2_ns,
  memory_bound,
  CASE WHEN measured THEN memory_bound_count END AS memory_bound_count,
  CASE WHEN measured THEN coalesce(memory_bound_ns, 0)::BIGINT END
    AS memory_bound_ns,
  longest
FROM led
ORDER BY total DESC, rank, type, core, side
LIMIT $limit
