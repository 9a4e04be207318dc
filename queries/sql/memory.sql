-- title:   Memory
-- about:   Memory over time: of each series and each of about so many equal
--          parts of the time, the sample with the highest value. samples says
--          how many there were in that part.
-- param:   rank INTEGER = NULL       only this rank
-- param:   component VARCHAR = NULL  only this component (PTA, GE, APP, …)
-- param:   key VARCHAR = NULL        only this value (reserved, allocated, …)
-- param:   source VARCHAR = NULL     only from this file or lane
-- param:   from_ts BIGINT = NULL     from this instant on, ns
-- param:   to_ts BIGINT = NULL       before this instant, ns
-- param:   points BIGINT = 1000      parts of the time
-- columns: series_id BIGINT, rank INTEGER, source VARCHAR, component VARCHAR,
--          key VARCHAR, ts BIGINT, held_bytes BIGINT, samples BIGINT
-- needs:   memory_series, counter
WITH sample AS (
  SELECT
    s.series_id, s.rank, s.source, s.component, s.key, c.ts,
    c.value * s.unit_bytes AS value
  FROM memory_series AS s
  JOIN counter AS c ON c.series_id = s.series_id
  WHERE ($rank IS NULL OR s.rank = $rank)
    AND ($component IS NULL OR s.component = $component)
    AND ($key IS NULL OR s.key = $key)
    AND ($source IS NULL OR s.source = $source)
    AND ($from_ts IS NULL OR c.ts >= $from_ts)
    AND ($to_ts IS NULL OR c.ts < $to_ts)
), part AS (
  -- Clocks of ranks differ: each rank's time is cut into parts of its own.
  SELECT
    rank,
    min(ts) AS ts,
    (max(ts) - min(ts)) // greatest($points, 1) + 1 AS dur
  FROM sample
  GROUP BY rank
)
SELECT
  s.series_id,
  s.rank,
  s.source,
  s.component,
  s.key,
  arg_max(s.ts, (s.value, -s.ts)) AS ts,
  try_cast(max(s.value) AS BIGINT) AS held_bytes,
  count(*) AS samples
FROM sample AS s
JOIN part AS p ON p.rank = s.rank
GROUP BY
  s.series_id, s.rank, s.source, s.component, s.key,
  (s.ts - p.ts) // p.dur
ORDER BY s.rank, s.series_id, ts
