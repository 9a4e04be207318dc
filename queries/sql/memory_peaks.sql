-- title:   Memory peaks
-- about:   The most that each component holds of the device's memory, when
--          that first is, in which step of the host, and in which phase the
--          device is then. reserved_bytes is what the same allocator has
--          reserved at that instant, unused_bytes what of it nobody holds.
-- param:   rank INTEGER = NULL       only this rank
-- param:   component VARCHAR = NULL  only this component (PTA, GE, APP, …)
-- param:   key VARCHAR = NULL        only this value (reserved, allocated, …)
-- param:   limit BIGINT = NULL       so many rows
-- columns: rank INTEGER, device_id INTEGER, source VARCHAR,
--          component VARCHAR, key VARCHAR, peak_bytes BIGINT, ts BIGINT,
--          step INTEGER, phase VARCHAR, reserved_bytes BIGINT,
--          unused_bytes BIGINT, unused_share DOUBLE, lowest_bytes BIGINT,
--          last_bytes BIGINT, samples BIGINT, series_id BIGINT
-- needs:   memory_series, counter, host_step, phase_span
WITH series AS (
  SELECT *
  FROM memory_series
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($component IS NULL OR component = $component)
    AND ($key IS NULL OR key = $key)
), whole AS (
  SELECT
    series_id,
    max(value) AS peak,
    min(value) AS least,
    max(ts) AS last_ts,
    count(*) AS samples
  FROM counter
  WHERE series_id IN (SELECT series_id FROM series)
  GROUP BY series_id
), peak AS (
  SELECT
    s.*,
    w.peak,
    w.least,
    w.samples,
    max(c.value) FILTER (c.ts = w.last_ts) AS last,
    min(c.ts) FILTER (c.value = w.peak) AS ts
  FROM series AS s
  JOIN whole AS w ON w.series_id = s.series_id
  JOIN counter AS c ON c.series_id = s.series_id
  GROUP BY ALL
), beside AS (
  SELECT p.series_id, p.ts, r.series_id AS reserved_id, r.unit_bytes
  FROM peak AS p
  JOIN memory_series AS r
    ON r.rank = p.rank
    AND r.source IS NOT DISTINCT FROM p.source
    AND r.device_id IS NOT DISTINCT FROM p.device_id
    AND r.component = p.component
    AND r.key = 'reserved'
  WHERE p.key = 'allocated'
), sample AS (
  SELECT series_id, ts, max(value) AS value
  FROM counter
  WHERE series_id IN (SELECT reserved_id FROM beside)
  GROUP BY series_id, ts
), reserved AS (
  SELECT
    b.series_id,
    arg_max(c.value, c.ts) * any_value(b.unit_bytes) AS reserved
  FROM beside AS b
  JOIN sample AS c ON c.series_id = b.reserved_id AND b.ts >= c.ts
  GROUP BY b.series_id
), placed AS (
  SELECT
    p.*,
    r.reserved,
    r.reserved - p.peak * p.unit_bytes AS unused,
    s.step
  FROM peak AS p
  LEFT JOIN reserved AS r ON r.series_id = p.series_id
  LEFT JOIN host_step AS s
    ON s.rank = p.rank
    AND p.ts >= s.ts
    AND p.ts < s.end_ts
)
SELECT
  p.rank,
  p.device_id,
  p.source,
  p.component,
  p.key,
  try_cast(p.peak * p.unit_bytes AS BIGINT) AS peak_bytes,
  p.ts,
  p.step,
  h.phase,
  try_cast(p.reserved AS BIGINT) AS reserved_bytes,
  try_cast(p.unused AS BIGINT) AS unused_bytes,
  p.unused / nullif(p.reserved, 0) AS unused_share,
  try_cast(p.least * p.unit_bytes AS BIGINT) AS lowest_bytes,
  try_cast(p.last * p.unit_bytes AS BIGINT) AS last_bytes,
  p.samples,
  p.series_id
FROM placed AS p
LEFT JOIN phase_span AS h
  ON h.rank = p.rank
  AND h.device_id = p.device_id
  AND p.ts >= h.ts
  AND p.ts < h.ts + h.dur
-- What counts itself in the allocators' own tables comes first.
ORDER BY
  p.rank,
  p.device_id,
  p.source IS DISTINCT FROM 'memory_record',
  peak_bytes DESC,
  p.series_id
LIMIT $limit
