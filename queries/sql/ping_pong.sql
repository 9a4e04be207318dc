-- title:   Copies there and back
-- about:   Data that goes from the device to the host and back at once: a copy
--          D2H and the first H2D of the same size that begins within a time
--          after its end, on the same device. Copies without a known size, and
--          short ones that no operator of the framework asked for, are left out.
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
    AND (dur >= $min_dur OR operator_slice_id IS NOT NULL)
), pairs AS (
  SELECT
    d.*,
    h.slice_id AS back_slice_id,
    h.ts AS back_ts,
    h.dur AS back_dur,
    h.exposed_ns AS back_exposed_ns
  FROM (SELECT * FROM counted WHERE direction = 'D2H') AS d
  ASOF JOIN (SELECT * FROM counted WHERE direction = 'H2D') AS h
    ON d.rank = h.rank
    AND d.device_id IS NOT DISTINCT FROM h.device_id
    AND d.bytes = h.bytes
    AND d.end_ts <= h.ts
  WHERE h.ts - d.end_ts <= $within_ns
    AND ($step IS NULL OR d.step = $step)
  -- One copy back answers the last copy there.
  QUALIFY row_number() OVER (
    PARTITION BY h.slice_id ORDER BY d.end_ts DESC, d.slice_id
  ) = 1
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
