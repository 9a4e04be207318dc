-- title:   What bounds kernels
-- about:   Kernels of the AI cores one by one, longest first, with the busy
--          shares of the units of their core (of a MIX kernel the side with
--          the larger time). bound is the busiest unit where it is busy for
--          least_ratio of the core's time or more, none where no unit is:
--          then it is latency, or units that wait for each other. A memory
--          bound above 1 says that moving data takes longer than computing:
--          mte2 / mac on cube cores, the greater of mte2 and mte3 / vec on
--          vector cores. It is NULL where nothing computes. All are NULL where
--          the units were not measured: collect with
--          aic_metrics=PipeUtilization. blocks, cores and efficiency_ratio are
--          those of block_counts.
-- param:   rank INTEGER = NULL        only this rank
-- param:   step INTEGER = NULL        only this step
-- param:   from_ts BIGINT = NULL      only kernels that begin here or later
-- param:   to_ts BIGINT = NULL        only kernels that begin before
-- param:   type VARCHAR = NULL        only this operator type
-- param:   bound VARCHAR = NULL       only kernels with this bound
-- param:   kernel_id BIGINT = NULL    only this kernel
-- param:   least_ratio DOUBLE = 0.8 <= 1  share from which a unit is the bound
-- param:   limit BIGINT = NULL        so many rows
-- columns: kernel_id BIGINT, rank INTEGER, device_id INTEGER,
--          slice_id BIGINT, step INTEGER, name VARCHAR, type VARCHAR,
--          core VARCHAR, ts BIGINT, dur BIGINT, side VARCHAR,
--          mac_ratio DOUBLE, vec_ratio DOUBLE, mte1_ratio DOUBLE,
--          mte2_ratio DOUBLE, mte3_ratio DOUBLE, fixpipe_ratio DOUBLE,
--          scalar_ratio DOUBLE, busiest VARCHAR, busiest_ratio DOUBLE,
--          bound VARCHAR, least_ratio DOUBLE, memory_bound DOUBLE,
--          blocks INTEGER, cores INTEGER, cores_inferred BOOLEAN,
--          efficiency_ratio DOUBLE
-- needs:   core_kernel, block_kernel
WITH judged AS (
  SELECT
    *,
    CASE
      WHEN busiest_ratio >= $least_ratio THEN busiest
      WHEN busiest_ratio IS NOT NULL THEN 'none'
    END AS bound
  FROM core_kernel
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($from_ts IS NULL OR ts >= $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
    AND ($type IS NULL OR type = $type)
    AND ($kernel_id IS NULL OR kernel_id = $kernel_id)
), shown AS (
  SELECT *
  FROM judged
  WHERE $bound IS NULL OR bound = $bound
  ORDER BY dur DESC, kernel_id
  LIMIT $limit
)
SELECT
  s.kernel_id,
  s.rank,
  s.device_id,
  s.slice_id,
  s.step,
  s.name,
  s.type,
  s.core,
  s.ts,
  s.dur,
  s.side,
  s.mac_ratio,
  s.vec_ratio,
  s.mte1_ratio,
  s.mte2_ratio,
  s.mte3_ratio,
  s.fixpipe_ratio,
  s.scalar_ratio,
  s.busiest,
  s.busiest_ratio,
  s.bound,
  $least_ratio AS least_ratio,
  s.moved / nullif(s.computed, 0) AS memory_bound,
  b.block_num AS blocks,
  b.cores,
  b.cores_inferred,
  b.efficiency AS efficiency_ratio
FROM shown AS s
LEFT JOIN block_kernel AS b ON b.kernel_id = s.kernel_id
ORDER BY s.dur DESC, s.kernel_id
