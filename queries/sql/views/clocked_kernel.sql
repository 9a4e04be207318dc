-- Kernels of the AI cores with the frequency that the counter AI Core Freq had
-- when they began. Where each die has a counter it is that of the slowest one:
-- a kernel may run on the cores of all, and lasts until the last is done.
WITH reading AS (
  SELECT s.rank, s.series_id, c.ts, c.value AS mhz
  FROM counter_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE regexp_full_match(s.name, 'AI Core Freq( Die \d+)?')
    AND c.value > 0
), changed AS (
  SELECT DISTINCT c.rank, d.series_id, c.ts
  FROM reading AS c
  JOIN (SELECT DISTINCT rank, series_id FROM reading) AS d ON d.rank = c.rank
), sample AS (
  SELECT c.rank, c.ts, min(r.mhz) AS mhz
  FROM changed AS c
  ASOF JOIN reading AS r ON r.series_id = c.series_id AND r.ts <= c.ts
  GROUP BY c.rank, c.ts
)
SELECT k.kernel_id, k.rank, k.step, k.dur, c.mhz
FROM kernel AS k
ASOF LEFT JOIN sample AS c ON c.rank = k.rank AND c.ts <= k.ts
WHERE upper(k.core) IN (
  'AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV'
)
