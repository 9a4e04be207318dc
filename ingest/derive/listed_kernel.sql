-- table: listed_kernel
-- about: Device operators of the kernel table, each with its slice.
WITH device AS (
  SELECT p.slice_id, l.device_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind IN ('stream', 'group')
), shape AS (
  SELECT
    (
      name, type, core, block_num, input_shapes, input_dtypes, input_formats,
      output_shapes, output_dtypes, output_formats
    ) AS alike,
    -- What is joined by; of two shapes of one hash each finds its own.
    hash(alike) AS hash,
    row_number() OVER (ORDER BY min(row_number)) - 1 AS number
  FROM kernel_row
  GROUP BY ALL
), listed AS (
  SELECT
    k.* EXCLUDE (device_id, step),
    $base + h.number AS shape_id,
    l.slice_id,
    coalesce(k.device_id, d.device_id) AS device_id,
    CASE
      -- A table of another run beside this timeline belongs to none of its steps.
      WHEN l.slice_id IS NULL AND NOT k.ts BETWEEN $ts AND $trace_end THEN NULL
      -- Without the column the step of a kernel is that of its slice.
      WHEN (SELECT count(step) > 0 FROM kernel_row) THEN k.step
      ELSE m.step
    END AS step,
    CASE
      WHEN upper(k.core) IN ('AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV')
        THEN f.mhz
    END AS mhz
  FROM kernel_row AS k
  JOIN (
    SELECT
      row_number,
      (
        name, type, core, block_num, input_shapes, input_dtypes, input_formats,
        output_shapes, output_dtypes, output_formats
      ) AS alike
    FROM kernel_row
  ) AS c USING (row_number)
  JOIN shape AS h
    ON h.hash = hash(c.alike)
    AND h.alike IS NOT DISTINCT FROM c.alike
  LEFT JOIN kernel_link AS l USING (row_number)
  LEFT JOIN (
    SELECT slice_id, device_id
    FROM device
    WHERE EXISTS (FROM kernel_row WHERE device_id IS NULL)
  ) AS d ON l.slice_id = d.slice_id
  LEFT JOIN step_member AS m ON l.slice_id = m.slice_id
  ASOF LEFT JOIN frequency AS f ON k.ts >= f.ts
  ORDER BY ts, name, row_number
)
SELECT
  $base + row_number() OVER () - 1 AS kernel_id,
  $rank::INTEGER AS rank,
  device_id, slice_id, step, name, type, core, ts, dur, wait, block_num,
  mix_block_num, stream_id, task_id, op_state, input_shapes, input_dtypes,
  input_formats, output_shapes, output_dtypes, output_formats, aicore_time,
  aiv_time, aic_mac_ratio, aic_mte1_ratio, aic_mte2_ratio, aic_fixpipe_ratio,
  aic_scalar_ratio, aiv_vec_ratio, aiv_mte2_ratio, aiv_mte3_ratio,
  aiv_scalar_ratio, cube_utilization, mhz, shape_id, row_number
FROM listed
