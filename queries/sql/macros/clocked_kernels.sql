-- The kernels of the AI cores with the frequency at which they began and the
-- median length of the calls of the same type, shapes, types and blocks at the
-- usual frequency, at which kernels of the rank ran longest. With least_drop
-- only those that began so much below it.
CREATE MACRO clocked_kernels(only_rank, only_step, least_drop) AS TABLE
WITH sampled AS (
  SELECT s.rank, count(*) AS samples
  FROM counter_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE regexp_full_match(s.name, 'AI Core Freq( Die \d+)?')
    AND c.value > 0
    AND (only_rank IS NULL OR s.rank = only_rank)
  GROUP BY s.rank
), usual AS (
  SELECT rank, arg_max(mhz, (total, mhz)) AS mhz
  FROM (
    SELECT rank, mhz, sum(dur) AS total
    FROM kernel
    WHERE mhz IS NOT NULL
      AND (only_rank IS NULL OR rank = only_rank)
    GROUP BY rank, mhz
  )
  GROUP BY rank
), low AS (
  SELECT
    k.kernel_id,
    k.mhz,
    u.mhz AS usual_mhz,
    k.rank,
    k.device_id,
    k.slice_id,
    k.step,
    k.ts,
    k.dur,
    hash(k.type, k.block_num, k.input_shapes, k.input_dtypes) AS shape_group
  FROM kernel AS k
  LEFT JOIN usual AS u ON u.rank = k.rank
  WHERE upper(k.core) IN (
    'AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV'
  )
    AND (only_rank IS NULL OR k.rank = only_rank)
    AND (only_step IS NULL OR k.step = only_step)
    AND (least_drop IS NULL OR k.mhz <= u.mhz * (1 - least_drop))
), length AS (
  SELECT
    k.rank,
    w.shape_group,
    quantile_disc(k.dur, 0.5) AS dur
  FROM kernel AS k
  JOIN usual AS u ON u.rank = k.rank AND u.mhz = k.mhz
  JOIN (SELECT DISTINCT rank, shape_group FROM low) AS w
    ON w.rank = k.rank AND w.shape_group = hash(
      k.type, k.block_num, k.input_shapes, k.input_dtypes
    )
  GROUP BY k.rank, w.shape_group
)
SELECT
  k.*,
  coalesce(n.samples, 0) AS samples,
  l.dur AS usual_dur
FROM low AS k
LEFT JOIN sampled AS n ON n.rank = k.rank
LEFT JOIN length AS l ON l.rank = k.rank AND l.shape_group = k.shape_group
