-- about: Counters of which no sample is near the run: farther from it than it is
--        long, and than a minute. Their file counts time from another start.
WITH near AS (
  SELECT
    min(ts)::HUGEINT - greatest(max(ts + dur) - min(ts), 60_000_000_000) AS ts,
    max(ts + dur)::HUGEINT + greatest(max(ts + dur) - min(ts), 60_000_000_000)
      AS end_ts
  FROM placed
  WHERE ts >= $ts
), measured AS (
  SELECT series_id, min(ts) AS first_ts, max(ts) AS last_ts
  FROM counter
  GROUP BY series_id
)
SELECT
  '' AS file,
  'info' AS severity,
  count(*) AS count,
  min(l.process_name) || ': no sample is near the run' AS sample
FROM measured AS m
CROSS JOIN near AS r
JOIN counter_series AS c USING (series_id)
JOIN lane AS l USING (track_id)
WHERE m.last_ts < r.ts OR m.first_ts > r.end_ts
HAVING count(*) > 0
