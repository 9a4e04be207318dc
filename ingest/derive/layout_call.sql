-- table: layout_call
-- about: Kernels that change where or how a tensor lies or of which type it is, and compute
--        nothing, each with the kernel that ran directly after it on its stream.
WITH layout AS (
  SELECT
    shape_id,
    coalesce(type, regexp_extract(
      name, '(?:^|_)(TransData|Transpose|TensorMove|Cast)(?:_[0-9]+)?$', 1
    )) AS type
  FROM kernel_shape
  WHERE type IN (
      'TransData', 'TransDataRNN', 'Transpose', 'TransposeD', 'TransposeV2',
      'TensorMove', 'Cast', 'AsStrided', 'AsStridedD', 'ViewCopy', 'Identity',
      'FormatTransfer', 'Contiguous', 'Reformat', 'NpuFormatCast'
    )
    OR (
      type IS NULL
      AND regexp_matches(
        name, '(?:^|_)(TransData|Transpose|TensorMove|Cast)(?:_[0-9]+)?$'
      )
    )
), followed AS (
  SELECT
    kernel_id,
    -- Kernels are numbered in time.
    lead(kernel_id) OVER (PARTITION BY device_id, stream_id ORDER BY kernel_id)
      AS next_kernel_id
  FROM kernel
  WHERE stream_id IS NOT NULL
    AND EXISTS (FROM layout)
)
SELECT
  k.kernel_id,
  $rank::INTEGER AS rank,
  k.step,
  l.type,
  k.dur,
  f.next_kernel_id
FROM kernel AS k
JOIN layout AS l USING (shape_id)
LEFT JOIN followed AS f ON f.kernel_id = k.kernel_id
ORDER BY k.kernel_id
