-- title:   Blocks and cores
-- about:   In how many blocks operators run on how many cores, most time that
--          is lost by it first. Blocks run in rounds of as many as there are
--          cores, efficiency is blocks / (rounds x cores), and lost_ns the
--          time of the calls by which it is less than 1, an upper bound. small
--          is an efficiency below least_efficiency. cores are those that the
--          profile names, cube and vector cores apart. Where it names none
--          they are inferred: the most blocks that two operator types run
--          with, or of a single one where no two agree.
-- param:   rank INTEGER = NULL               only this rank
-- param:   step INTEGER = NULL               only this step
-- param:   type VARCHAR = NULL               only this operator type
-- param:   least_efficiency DOUBLE = 0.8 <= 1  efficiency from which it is fine
-- param:   limit BIGINT = NULL               so many rows
-- columns: rank INTEGER, type VARCHAR, core VARCHAR, blocks INTEGER,
--          cores INTEGER, cores_inferred BOOLEAN, count BIGINT,
--          total BIGINT, efficiency_ratio DOUBLE, lost_ns BIGINT,
--          small BOOLEAN, longest BIGINT, longest_kernel_id BIGINT
-- needs:   block_kernel
SELECT
  b.rank,
  b.type,
  b.core,
  b.block_num AS blocks,
  any_value(b.cores) AS cores,
  any_value(b.cores_inferred) AS cores_inferred,
  count(*) AS count,
  sum(b.dur)::BIGINT AS total,
  any_value(b.efficiency) AS efficiency_ratio,
  sum((b.dur * (1 - b.efficiency))::BIGINT)::BIGINT AS lost_ns,
  any_value(b.efficiency) < $least_efficiency AS small,
  max(b.dur) AS longest,
  arg_max(b.kernel_id, (b.dur, -b.kernel_id)) AS longest_kernel_id
FROM block_kernel AS b
WHERE ($rank IS NULL OR b.rank = $rank)
  AND ($step IS NULL OR b.step = $step)
  AND ($type IS NULL OR b.type = $type)
GROUP BY b.rank, b.type, b.core, b.block_num
ORDER BY lost_ns DESC, b.rank, b.type, b.core, blocks
LIMIT $limit
