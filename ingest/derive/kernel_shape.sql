-- table: kernel_shape
-- about: What the kernels of one shape_id have in common.
SELECT
  k.shape_id,
  $rank::INTEGER AS rank,
  k.name,
  k.type,
  k.core,
  k.block_num,
  k.input_shapes,
  k.input_dtypes,
  k.input_formats,
  k.output_shapes,
  k.output_dtypes,
  k.output_formats
FROM kernel AS k
JOIN (
  SELECT min(kernel_id) AS kernel_id
  FROM kernel
  GROUP BY shape_id
) AS f ON f.kernel_id = k.kernel_id
ORDER BY k.shape_id
