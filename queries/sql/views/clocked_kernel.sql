-- Kernels of the AI cores with the frequency that the counter AI Core Freq had
-- when they began.
WITH sample AS (
  SELECT s.rank, c.ts, c.value AS mhz
  FROM counter_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE s.name = 'AI Core Freq'
    AND c.value > 0
)
SELECT k.kernel_id, k.rank, k.step, k.dur, c.mhz
FROM kernel AS k
ASOF LEFT JOIN sample AS c ON c.rank = k.rank AND c.ts <= k.ts
WHERE upper(k.core) IN (
  'AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV'
)
