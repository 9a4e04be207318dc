-- title:   Cells of counters
-- about:   The samples of a window in cells of 2^level ns, a series in one row
--          of lists, the highest value and the last one of each cell that has
--          any. before is the last value before the window, last_ts the
--          instant of the last sample of all: what holds after it is not
--          known.
-- param:   level INTEGER    a cell is 2^level ns wide
-- param:   from_ts BIGINT   start of the window, ns
-- param:   to_ts BIGINT     end of the window (exclusive), ns
-- param:   series VARCHAR   these series: series_ids with commas
-- needs:   counter
WITH sample AS (
  SELECT
    series_id,
    ts,
    value,
    ts < ($from_ts >> $level) * (1::BIGINT << $level) AS early
  FROM counter
  WHERE series_id IN (
      SELECT unnest(string_split($series, ',')::BIGINT[]) AS series_id
    )
    AND ts < ((($to_ts - 1) >> $level) + 1) * (1::BIGINT << $level)
), cell AS (
  SELECT
    series_id,
    CASE WHEN NOT early THEN ts >> $level END AS bucket,
    max(value) AS most,
    arg_max(value, ts) AS last
  FROM sample
  GROUP BY series_id, bucket
), ending AS (
  SELECT series_id, max(ts) AS last_ts
  FROM counter
  WHERE series_id IN (
      SELECT unnest(string_split($series, ',')::BIGINT[]) AS series_id
    )
  GROUP BY series_id
)
SELECT
  series_id,
  max(last) FILTER (bucket IS NULL) AS before,
  list(bucket ORDER BY bucket) FILTER (bucket IS NOT NULL) AS buckets,
  list(most ORDER BY bucket) FILTER (bucket IS NOT NULL) AS most,
  list(last ORDER BY bucket) FILTER (bucket IS NOT NULL) AS last,
  any_value(last_ts) AS last_ts
FROM cell
JOIN ending USING (series_id)
GROUP BY series_id
