-- Kernels of the AI cores with their blocks, the cores that there are for them
-- and how well the rounds of blocks fill these. The cores of a rank are
-- inferred: the most blocks that two operator types run with, or of one type
-- where no two agree; kernels that run on cube cores first are counted apart
-- from those of vector cores.
WITH blocked AS (
  SELECT
    kernel_id,
    rank,
    device_id,
    slice_id,
    step,
    type,
    core,
    ts,
    dur,
    block_num,
    upper(core) IN ('AI_VECTOR_CORE', 'AIV', 'MIX_AIV') AS is_vector
  FROM kernel
  WHERE block_num > 0
    AND upper(core) IN (
      'AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV'
    )
), used AS (
  SELECT rank, is_vector, block_num, count(DISTINCT type) AS types
  FROM blocked
  GROUP BY rank, is_vector, block_num
), counted AS (
  SELECT
    rank,
    is_vector,
    coalesce(max(block_num) FILTER (types > 1), max(block_num)) AS cores
  FROM used
  GROUP BY rank, is_vector
)
SELECT
  b.*,
  c.cores,
  b.block_num / (ceil(b.block_num / c.cores) * c.cores) AS efficiency
FROM blocked AS b
JOIN counted AS c ON c.rank = b.rank AND c.is_vector = b.is_vector
