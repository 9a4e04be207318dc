-- Kernels of the AI cores with their blocks, the cores that there are for them
-- and how well the rounds of blocks fill these. Kernels that run on cube cores
-- first are counted apart from those of vector cores. Where the profile does
-- not say how many there are, cores is inferred: the most blocks that two
-- operator types of the rank run with, or of one type where no two agree.
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
), given AS (
  SELECT
    rank,
    cube_cores,
    -- A chip with one kind of core has no vector cores of its own.
    CASE vector_cores WHEN 0 THEN cube_cores ELSE vector_cores END
      AS vector_cores
  FROM profile
), sized AS (
  SELECT
    c.rank,
    c.is_vector,
    CASE WHEN c.is_vector THEN g.vector_cores ELSE g.cube_cores END AS told,
    coalesce(told, c.cores)::INTEGER AS cores,
    told IS NULL AS cores_inferred
  FROM counted AS c
  LEFT JOIN given AS g ON g.rank = c.rank
)
SELECT
  b.*,
  s.cores,
  s.cores_inferred,
  b.block_num / (ceil(b.block_num / s.cores) * s.cores) AS efficiency
FROM blocked AS b
JOIN sized AS s ON s.rank = b.rank AND s.is_vector = b.is_vector
