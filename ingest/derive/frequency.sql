-- table: frequency
-- about: The frequency of the AI cores from each instant at which it was sampled. Where
--        each die has a counter it is that of the slowest one: a kernel may run on the
--        cores of all, and lasts until the last is done.
WITH reading AS (
  SELECT s.series_id, c.ts, c.value AS mhz
  FROM counter_series AS s
  JOIN counter AS c USING (series_id)
  WHERE regexp_full_match(s.name, 'AI Core Freq( Die \d+)?') AND c.value > 0
), changed AS (
  SELECT DISTINCT d.series_id, c.ts
  FROM reading AS c
  CROSS JOIN (SELECT DISTINCT series_id FROM reading) AS d
)
SELECT c.ts, min(r.mhz) AS mhz
FROM changed AS c
ASOF JOIN reading AS r ON r.series_id = c.series_id AND r.ts <= c.ts
GROUP BY c.ts
