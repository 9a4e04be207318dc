-- table: kernel_shape
-- about: What the kernels of one shape_id have in common, and how long calls like them
--        take at the frequency at which kernels of the run ran longest.
WITH shape AS (
  SELECT
    k.*,
    -- Calls of several names and formats are compared with each other.
    min(k.shape_id) OVER (
      PARTITION BY k.type, k.block_num, k.input_shapes, k.input_dtypes
    ) AS compared
  FROM kernel AS k
  JOIN (
    SELECT min(kernel_id) AS kernel_id
    FROM kernel
    GROUP BY shape_id
  ) AS f ON f.kernel_id = k.kernel_id
), usual AS (
  SELECT arg_max(mhz, (total, mhz)) AS mhz
  FROM (SELECT mhz, sum(dur) AS total FROM kernel WHERE mhz IS NOT NULL GROUP BY mhz)
), length AS (
  SELECT s.compared, quantile_disc(k.dur, 0.5) AS dur
  FROM kernel AS k
  JOIN usual AS u ON u.mhz = k.mhz
  JOIN shape AS s ON s.shape_id = k.shape_id
  GROUP BY s.compared
)
SELECT
  s.shape_id,
  $rank::INTEGER AS rank,
  s.name,
  s.type,
  s.core,
  s.block_num,
  s.input_shapes,
  s.input_dtypes,
  s.input_formats,
  s.output_shapes,
  s.output_dtypes,
  s.output_formats,
  u.mhz AS usual_mhz,
  CASE
    WHEN upper(s.core) IN ('AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV')
      THEN l.dur
  END AS usual_dur
FROM shape AS s
CROSS JOIN usual AS u
LEFT JOIN length AS l ON l.compared = s.compared
ORDER BY s.shape_id
