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
)
SELECT
  k.kernel_id,
  k.mhz,
  s.usual_mhz,
  k.rank,
  k.device_id,
  k.slice_id,
  k.step,
  k.ts,
  k.dur,
  coalesce(n.samples, 0) AS samples,
  s.usual_dur
FROM kernel AS k
JOIN kernel_shape AS s ON s.shape_id = k.shape_id
LEFT JOIN sampled AS n ON n.rank = k.rank
WHERE upper(s.core) IN (
  'AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV'
)
  AND (only_rank IS NULL OR k.rank = only_rank)
  AND (only_step IS NULL OR k.step = only_step)
  AND (least_drop IS NULL OR k.mhz <= s.usual_mhz * (1 - least_drop))
