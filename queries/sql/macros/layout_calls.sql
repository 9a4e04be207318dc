-- Kernels that change where or how a tensor lies or of which type it is, and
-- compute nothing: layout_type is which they are.
CREATE MACRO layout_calls(only_rank, only_step) AS TABLE
SELECT
  *,
  coalesce(type, regexp_extract(
    name, '(?:^|_)(TransData|Transpose|TensorMove|Cast)(?:_[0-9]+)?$', 1
  )) AS layout_type
FROM kernel
WHERE (only_rank IS NULL OR rank = only_rank)
  AND (only_step IS NULL OR step = only_step)
  AND (
    type IN (
      'TransData', 'TransDataRNN', 'Transpose', 'TransposeD', 'TransposeV2',
      'TensorMove', 'Cast', 'AsStrided', 'AsStridedD', 'ViewCopy', 'Identity',
      'FormatTransfer', 'Contiguous', 'Reformat', 'NpuFormatCast'
    )
    OR (
      type IS NULL
      -- Quickly told of nearly all others.
      AND (
        contains(name, 'Trans')
        OR contains(name, 'TensorMove')
        OR contains(name, 'Cast')
      )
      AND regexp_matches(
        name, '(?:^|_)(TransData|Transpose|TensorMove|Cast)(?:_[0-9]+)?$'
      )
    )
  )
