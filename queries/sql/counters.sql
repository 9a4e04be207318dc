-- title:   Counters
-- about:   The measured quantities: how many samples, the least and the most.
--          Memory first, then those with the most samples.
-- param:   rank INTEGER = NULL  only this rank
-- columns: series_id BIGINT, rank INTEGER, track_id BIGINT,
--          process_name VARCHAR, name VARCHAR, key VARCHAR, unit VARCHAR,
--          samples BIGINT, least DOUBLE, most DOUBLE
-- needs:   counter_series, counter, track
SELECT
  s.series_id,
  s.rank,
  s.track_id,
  t.process_name,
  s.name,
  s.key,
  s.unit,
  count(*) AS samples,
  min(c.value) AS least,
  max(c.value) AS most
FROM counter_series AS s
JOIN counter AS c ON c.series_id = s.series_id
LEFT JOIN track AS t ON t.track_id = s.track_id
WHERE ($rank IS NULL OR s.rank = $rank)
GROUP BY
  s.series_id, s.rank, s.track_id, t.process_name, s.name, s.key, s.unit
ORDER BY s.rank, s.unit IS DISTINCT FROM 'bytes', samples DESC, s.series_id
