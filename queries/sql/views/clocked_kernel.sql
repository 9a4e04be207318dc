-- Kernels of the AI cores with the frequency that the counter AI Core Freq had
-- when they began, and the median length of the calls of the same type, shapes,
-- types and blocks at the usual frequency, at which kernels of the rank ran
-- longest.
WITH sample AS (
  SELECT s.rank, c.ts, c.value AS mhz
  FROM counter_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE s.name = 'AI Core Freq'
    AND c.value > 0
), sampled AS (
  SELECT rank, count(*) AS samples
  FROM sample
  GROUP BY rank
), clocked AS (
  SELECT
    k.kernel_id,
    k.rank,
    k.device_id,
    k.slice_id,
    k.step,
    k.type,
    k.ts,
    k.dur,
    k.block_num,
    k.input_shapes,
    k.input_dtypes,
    c.mhz
  FROM kernel AS k
  ASOF LEFT JOIN sample AS c ON c.rank = k.rank AND c.ts <= k.ts
  WHERE upper(k.core) IN (
    'AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV'
  )
), usual AS (
  SELECT rank, arg_max(mhz, (total, mhz)) AS mhz
  FROM (
    SELECT rank, mhz, sum(dur) AS total
    FROM clocked
    WHERE mhz IS NOT NULL
    GROUP BY rank, mhz
  )
  GROUP BY rank
), length AS (
  SELECT
    k.rank, k.type, k.block_num, k.input_shapes, k.input_dtypes,
    quantile_disc(k.dur, 0.5) AS dur
  FROM clocked AS k
  JOIN usual AS u ON u.rank = k.rank AND u.mhz = k.mhz
  GROUP BY k.rank, k.type, k.block_num, k.input_shapes, k.input_dtypes
)
SELECT
  k.*,
  u.mhz AS usual_mhz,
  coalesce(n.samples, 0) AS samples,
  l.dur AS usual_dur
FROM clocked AS k
LEFT JOIN usual AS u ON u.rank = k.rank
LEFT JOIN sampled AS n ON n.rank = k.rank
LEFT JOIN length AS l
  ON l.rank = k.rank
  AND l.type IS NOT DISTINCT FROM k.type
  AND l.block_num IS NOT DISTINCT FROM k.block_num
  AND l.input_shapes IS NOT DISTINCT FROM k.input_shapes
  AND l.input_dtypes IS NOT DISTINCT FROM k.input_dtypes
