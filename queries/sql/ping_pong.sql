-- title:   Copies there and back
-- about:   Data that goes from the device to the host and back at once: a copy
--          D2H, then an H2D of the same size as the next of that size on the
--          device, which begins within a time after its end. Left out are those
--          whose size is not known, and short ones that no operator of the
--          framework asked for.
-- param:   rank INTEGER = NULL         only this rank
-- param:   step INTEGER = NULL         only this step
-- param:   within_ns BIGINT = 10000000  longest time between the two, ns
-- param:   min_dur BIGINT = 5000       shorter ones need an operator, ns
-- param:   limit BIGINT = NULL         so many rows
-- columns: rank INTEGER, device_id INTEGER, step INTEGER, bytes BIGINT,
--          slice_id BIGINT, ts BIGINT, dur BIGINT, back_slice_id BIGINT,
--          back_ts BIGINT, back_dur BIGINT, between_ns BIGINT,
--          moving_ns BIGINT, exposed_ns BIGINT, operator_name VARCHAR
-- needs:   device_copy, slice
WITH counted AS (
  SELECT *, ts + dur AS end_ts
  FROM device_copy
  WHERE ($rank IS NULL OR rank = $rank)
    AND bytes > 0
    AND direction IN ('D2H', 'H2D')
    AND (dur >= $min_dur OR operator_slice_id IS NOT NULL)
), followed AS (
  SELECT
    *,
    lead(direction) OVER w AS back,
    lead(slice_id) OVER w AS back_slice_id,
    lead(ts) OVER w AS back_ts,
    lead(dur) OVER w AS back_dur,
    lead(exposed_ns) OVER w AS back_exposed_ns
  FROM counted
  WINDOW w AS (PARTITION BY rank, device_id, bytes ORDER BY ts, slice_id)
), pairs AS (
  SELECT *
  FROM followed
  WHERE direction = 'D2H'
    AND back = 'H2D'
    AND back_ts - end_ts BETWEEN 0 AND $within_ns
    AND ($step IS NULL OR step = $step)
)
SELECT
  p.rank,
  p.device_id,
  p.step,
  p.bytes,
  p.slice_id,
  p.ts,
  p.dur,
  p.back_slice_id,
  p.back_ts,
  p.back_dur,
  p.back_ts - p.end_ts AS between_ns,
  p.dur + p.back_dur AS moving_ns,
  p.exposed_ns + p.back_exposed_ns AS exposed_ns,
  o.name AS operator_name
FROM pairs AS p
LEFT JOIN slice AS o ON o.slice_id = p.operator_slice_id
ORDER BY moving_ns DESC, p.rank, p.ts, p.slice_id
LIMIT $limit
