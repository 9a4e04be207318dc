-- table: kernel
-- about: Device operators of the kernel table, each with its slice: same device
--        and name, same start within 1 ns, by which some writers differ. Without
--        a kernel table those of the task lanes.
WITH device AS (
  SELECT p.*, l.device_id, l.kind
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind IN ('stream', 'group')
), linked AS (
  SELECT
    k.row_number,
    arg_min(d.slice_id, (
      abs(k.ts - d.ts), k.stream_id IS DISTINCT FROM d.stream_id, d.slice_id
    )) AS slice_id
  FROM (
    SELECT *, unnest([ts - 1, ts, ts + 1]) AS near_ts FROM kernel_row
  ) AS k
  JOIN word AS w ON k.name = w.text
  JOIN device AS d
    ON k.near_ts = d.ts
    AND d.name = w.code
    AND (k.device_id = d.device_id OR k.device_id IS NULL OR d.device_id IS NULL)
  GROUP BY k.row_number
), listed AS (
  SELECT
    k.* EXCLUDE (device_id, step),
    l.slice_id,
    coalesce(k.device_id, d.device_id) AS device_id,
    CASE
      -- A table of another run beside this timeline belongs to none of its steps.
      WHEN l.slice_id IS NULL AND NOT k.ts BETWEEN $ts AND $trace_end THEN NULL
      -- Without the column the step of a kernel is that of its slice.
      WHEN (SELECT count(step) > 0 FROM kernel_row) THEN k.step
      ELSE m.step
    END AS step
  FROM kernel_row AS k
  LEFT JOIN linked AS l USING (row_number)
  LEFT JOIN device AS d ON l.slice_id = d.slice_id
  LEFT JOIN step_member AS m ON l.slice_id = m.slice_id
  UNION ALL BY NAME
  SELECT
    d.slice_id,
    d.device_id,
    s.step,
    n.text AS name,
    CASE WHEN d.kind = 'group' THEN 'COMMUNICATION' ELSE m.task END AS core,
    d.ts,
    d.dur,
    d.stream_id,
    d.task_id
  FROM device AS d
  JOIN word AS n ON d.name = n.code
  JOIN pattern AS m USING (pattern)
  LEFT JOIN step_member AS s USING (slice_id)
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
