-- Kernels that change where or how a tensor lies or of which type it is, and
-- compute nothing: layout_type is which they are.
CREATE MACRO layout_calls(only_rank, only_step) AS TABLE
SELECT k.*, l.type AS layout_type
FROM kernel AS k
JOIN layout_call AS l ON l.kernel_id = k.kernel_id
WHERE (only_rank IS NULL OR k.rank = only_rank)
  AND (only_step IS NULL OR k.step = only_step)
