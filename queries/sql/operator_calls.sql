-- title:   Calls of operators
-- about:   Kernels one by one, longest first, with shapes and the busy shares
--          of the core's units where they were collected.
-- param:   rank INTEGER = NULL          only this rank
-- param:   step INTEGER = NULL          only this step
-- param:   name VARCHAR = NULL          only kernels of this name
-- param:   type VARCHAR = NULL          only kernels of this operator type
-- param:   core VARCHAR = NULL          only what ran on this core
-- param:   input_shapes VARCHAR = NULL  only what read these shapes
-- param:   input_dtypes VARCHAR = NULL  only what read these types
-- param:   stream_id BIGINT = NULL      only what ran on this stream
-- param:   from_ts BIGINT = NULL        only from this instant on, ns
-- param:   to_ts BIGINT = NULL          only before this instant, ns
-- param:   slice_id BIGINT = NULL       only the kernel of this slice
-- param:   kernel_id BIGINT = NULL      only this kernel
-- param:   limit BIGINT = NULL          so many rows
-- columns: kernel_id BIGINT, rank INTEGER, device_id INTEGER,
--          slice_id BIGINT, step INTEGER, name VARCHAR, type VARCHAR,
--          core VARCHAR, ts BIGINT, dur BIGINT, wait BIGINT,
--          block_num INTEGER, mix_block_num INTEGER, stream_id BIGINT,
--          task_id BIGINT, op_state VARCHAR, input_shapes VARCHAR,
--          input_dtypes VARCHAR, input_formats VARCHAR,
--          output_shapes VARCHAR, output_dtypes VARCHAR,
--          output_formats VARCHAR, aicore_time BIGINT, aiv_time BIGINT,
--          aic_mac_ratio DOUBLE, aic_mte1_ratio DOUBLE,
--          aic_mte2_ratio DOUBLE, aic_fixpipe_ratio DOUBLE,
--          aic_scalar_ratio DOUBLE, aiv_vec_ratio DOUBLE,
--          aiv_mte2_ratio DOUBLE, aiv_mte3_ratio DOUBLE,
--          aiv_scalar_ratio DOUBLE, cube_utilization DOUBLE
-- needs:   kernel
SELECT
  kernel_id,
  rank,
  device_id,
  slice_id,
  step,
  name,
  type,
  core,
  ts,
  dur,
  wait,
  block_num,
  mix_block_num,
  stream_id,
  task_id,
  op_state,
  input_shapes,
  input_dtypes,
  input_formats,
  output_shapes,
  output_dtypes,
  output_formats,
  aicore_time,
  aiv_time,
  aic_mac_ratio,
  aic_mte1_ratio,
  aic_mte2_ratio,
  aic_fixpipe_ratio,
  aic_scalar_ratio,
  aiv_vec_ratio,
  aiv_mte2_ratio,
  aiv_mte3_ratio,
  aiv_scalar_ratio,
  cube_utilization
FROM kernel
WHERE ($rank IS NULL OR rank = $rank)
  AND ($step IS NULL OR step = $step)
  AND ($name IS NULL OR name = $name)
  AND ($type IS NULL OR type = $type)
  AND ($core IS NULL OR core = $core)
  AND ($input_shapes IS NULL OR input_shapes = $input_shapes)
  AND ($input_dtypes IS NULL OR input_dtypes = $input_dtypes)
  AND ($stream_id IS NULL OR stream_id = $stream_id)
  AND ($from_ts IS NULL OR ts >= $from_ts)
  AND ($to_ts IS NULL OR ts < $to_ts)
  AND ($slice_id IS NULL OR slice_id = $slice_id)
  AND ($kernel_id IS NULL OR kernel_id = $kernel_id)
ORDER BY dur DESC, kernel_id
LIMIT $limit
