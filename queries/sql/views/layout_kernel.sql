-- Kernels that change where or how a tensor lies or of which type it is, and
-- compute nothing, with the bytes that they read and write by the shapes of the
-- kernel table; NULL where shapes or types are not known.
WITH picked AS (
  SELECT
    *,
    coalesce(type, regexp_extract(
      name, '(?:^|_)(TransData|Transpose|TensorMove|Cast)(?:_[0-9]+)?$', 1
    )) AS layout_type
  FROM kernel
  WHERE type IN (
    'TransData', 'TransDataRNN', 'Transpose', 'TransposeD', 'TransposeV2',
    'TensorMove', 'Cast', 'AsStrided', 'AsStridedD', 'ViewCopy', 'Identity',
    'FormatTransfer', 'Contiguous', 'Reformat', 'NpuFormatCast'
  )
  OR (type IS NULL AND regexp_matches(
    name, '(?:^|_)(TransData|Transpose|TensorMove|Cast)(?:_[0-9]+)?$'
  ))
), tensors AS (
  SELECT
    *,
    list_zip(
      string_split(trim(input_shapes, '" '), ';'),
      string_split(trim(input_dtypes, '" '), ';')
    ) AS inputs,
    list_zip(
      string_split(trim(output_shapes, '" '), ';'),
      string_split(trim(output_dtypes, '" '), ';')
    ) AS outputs
  FROM picked
), sized AS (
  SELECT
    *,
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
  kernel_id,
  rank,
  device_id,
  slice_id,
  step,
  name,
  layout_type AS type,
  core,
  ts,
  dur,
  stream_id,
  input_shapes,
  output_shapes,
  input_formats,
  output_formats,
  CASE WHEN len(sizes) > 0 AND list_count(sizes) = len(sizes) THEN
    try_cast(list_reduce(sizes, lambda x, y: x + y) AS BIGINT)
  END AS bytes,
  try_cast(sizes[1] AS BIGINT) AS input_bytes
FROM sized
