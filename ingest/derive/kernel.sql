-- table: kernel
-- about: Device operators of the kernel table, each with its slice (same device,
--        start and name); without a kernel table those of the task lanes.
WITH device AS (
  SELECT p.*, l.device_id, l.kind
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind IN ('stream', 'group')
), linked AS (
  SELECT k.*, min(d.slice_id) AS slice_id
  FROM kernel_row AS k
  LEFT JOIN device AS d
    ON k.ts = d.ts
    AND k.name = d.name
    AND (k.device_id = d.device_id OR k.device_id IS NULL OR d.device_id IS NULL)
  GROUP BY ALL
), listed AS (
  SELECT
    l.* EXCLUDE (device_id, step),
    coalesce(l.device_id, d.device_id) AS device_id,
    CASE WHEN $has_step_id THEN l.step ELSE m.step END AS step
  FROM linked AS l
  LEFT JOIN device AS d USING (slice_id)
  LEFT JOIN step_member AS m USING (slice_id)
  UNION ALL BY NAME
  SELECT
    d.slice_id,
    d.device_id,
    m.step,
    d.name,
    CASE WHEN d.kind = 'group' THEN 'COMMUNICATION' ELSE d.task END AS core,
    d.ts,
    d.dur,
    d.stream_id,
    d.task_id
  FROM device AS d
  LEFT JOIN step_member AS m USING (slice_id)
  WHERE NOT EXISTS (FROM kernel_row)
    AND (d.kind = 'group' OR d.class IN ('compute', 'mc2'))
)
SELECT
  $base + row_number() OVER (ORDER BY ts, name, row_number) - 1 AS kernel_id,
  $rank::INTEGER AS rank,
  device_id, slice_id, step, name, type, core, ts, dur, wait, block_num,
  mix_block_num, stream_id, task_id, op_state, input_shapes, input_dtypes,
  input_formats, output_shapes, output_dtypes, output_formats, aicore_time,
  aiv_time, aic_mac_ratio, aic_mte1_ratio, aic_mte2_ratio, aic_fixpipe_ratio,
  aic_scalar_ratio, aiv_vec_ratio, aiv_mte2_ratio, aiv_mte3_ratio,
  aiv_scalar_ratio, cube_utilization, row_number
FROM listed
ORDER BY kernel_id
