-- The kernels of layout_calls with the bytes that they read and write by the
-- shapes of the kernel table; NULL where shapes or types are not known.
CREATE MACRO layout_kernels(only_rank, only_step) AS TABLE
WITH picked AS (
  FROM layout_calls(only_rank, only_step)
), shaped AS (
  -- Kernels are many, shapes few.
  FROM kernel_shape
  WHERE shape_id IN (SELECT shape_id FROM picked)
), tensors AS (
  SELECT
    shape_id,
    list_zip(
      string_split(trim(input_shapes, '" '), ';'),
      string_split(trim(input_dtypes, '" '), ';')
    ) AS inputs,
    list_zip(
      string_split(trim(output_shapes, '" '), ';'),
      string_split(trim(output_dtypes, '" '), ';')
    ) AS outputs
  FROM shaped
), sized AS (
  SELECT
    shape_id,
    list_transform(
      list_concat(inputs, outputs),
      -- An empty shape is that of a scalar; a broken one may pass any width.
      lambda tensor: try_cast(CASE
        WHEN tensor[1] = '' THEN 1::HUGEINT
        ELSE try(list_reduce(
          list_transform(
            string_split(tensor[1], ','),
            lambda size: try_cast(trim(size) AS HUGEINT)
          ),
          lambda x, y: x * y
        ))
      END AS BIGINT)::HUGEINT * CASE
        WHEN tensor[2] IN ('INT64', 'UINT64', 'DOUBLE', 'COMPLEX64') THEN 8
        WHEN tensor[2] IN ('FLOAT', 'FLOAT32', 'INT32', 'UINT32') THEN 4
        WHEN tensor[2] IN (
          'FLOAT16', 'DT_BF16', 'BF16', 'BFLOAT16', 'INT16', 'UINT16'
        ) THEN 2
        WHEN tensor[2] IN ('INT8', 'UINT8', 'BOOL') THEN 1
        WHEN tensor[2] IN ('COMPLEX128') THEN 16
      END
    ) AS sizes
  FROM tensors
)
SELECT
  k.kernel_id,
  k.rank,
  k.device_id,
  k.slice_id,
  k.step,
  k.name,
  k.layout_type AS type,
  k.core,
  k.ts,
  k.dur,
  k.stream_id,
  k.input_shapes,
  k.output_shapes,
  k.input_formats,
  k.output_formats,
  CASE WHEN len(s.sizes) > 0 AND list_count(s.sizes) = len(s.sizes) THEN
    try_cast(list_reduce(s.sizes, lambda x, y: x + y) AS BIGINT)
  END AS bytes,
  try_cast(s.sizes[1] AS BIGINT) AS input_bytes
FROM picked AS k
LEFT JOIN sized AS s ON s.shape_id = k.shape_id
