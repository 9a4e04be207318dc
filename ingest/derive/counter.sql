-- table: counter
-- about: Counter samples in the order of their series and time. Some writers
--        store a hit rate as a fraction under the name of a percentage.
WITH scales AS (
  SELECT r.series, 100 AS scale
  FROM read_counter AS r
  JOIN counter_series AS s ON s.series_id = $base + r.series
  WHERE contains(s.key, 'Hit Rate(%)')
  GROUP BY r.series
  HAVING max(r.value) <= 1
)
SELECT
  $base + r.series AS series_id,
  r.ts,
  r.value * coalesce(s.scale, 1) AS value
FROM read_counter AS r
LEFT JOIN scales AS s USING (series)
ORDER BY series_id, r.ts
