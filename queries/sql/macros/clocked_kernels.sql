-- The kernels of clocked_kernel and the median length of the calls of the same
-- type, shapes, types and blocks at the usual frequency, at which kernels of
-- the rank ran longest. With least_drop only those that began so much below it.
CREATE MACRO clocked_kernels(only_rank, only_step, least_drop) AS TABLE
WITH sampled AS (
  SELECT s.rank, count(*) AS samples
  FROM counter_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE regexp_full_match(s.name, 'AI Core Freq( Die \d+)?')
    AND c.value > 0
    AND (only_rank IS NULL OR s.rank = only_rank)
  GROUP BY s.rank
), clocked AS (
  FROM clocked_kernel
  WHERE (only_rank IS NULL OR rank = only_rank)
    -- Without a sample no kernel is low.
    AND (least_drop IS NULL OR EXISTS (FROM sampled))
), usual AS (
  SELECT rank, arg_max(mhz, (total, mhz)) AS mhz
  FROM (
    SELECT rank, mhz, sum(dur) AS total
    FROM clocked
    WHERE mhz IS NOT NULL
    GROUP BY rank, mhz
  )
  GROUP BY rank
), chosen AS (
  SELECT c.kernel_id, c.mhz, u.mhz AS usual_mhz
  FROM clocked AS c
  LEFT JOIN usual AS u ON u.rank = c.rank
  WHERE (only_step IS NULL OR c.step = only_step)
    AND (least_drop IS NULL OR c.mhz <= u.mhz * (1 - least_drop))
), low AS (
  SELECT
    c.*,
    k.rank,
    k.device_id,
    k.slice_id,
    k.step,
    k.ts,
    k.dur,
    hash(k.type, k.block_num, k.input_shapes, k.input_dtypes) AS shape_group
  FROM chosen AS c
  JOIN kernel AS k ON k.kernel_id = c.kernel_id
), length AS (
  SELECT
    k.rank,
    w.shape_group,
    quantile_disc(k.dur, 0.5) AS dur
  FROM clocked AS c
  JOIN usual AS u ON u.rank = c.rank AND u.mhz = c.mhz
  JOIN kernel AS k ON k.kernel_id = c.kernel_id
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
