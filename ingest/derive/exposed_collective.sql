-- table: exposed_collective
-- about: The part of each collective under which nothing computes, and what of
--        that moves data or waits. Counted on the device: of two collectives at
--        once both have what they share.
WITH opened AS (
  SELECT p.slice_id, l.device_id, p.ts, p.ts + p.dur AS end_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'group'
), kinds AS (
  SELECT
    device_id,
    ts,
    NOT computes AS bare,
    NOT computes AND state = 4 AS moves,
    NOT computes AND state IN (6, 7) AS waits,
    -- Up to the start of the segment.
    sum((end_ts - ts) * bare::BIGINT) OVER w - (end_ts - ts) * bare::BIGINT
      AS bare_ns,
    sum((end_ts - ts) * moves::BIGINT) OVER w - (end_ts - ts) * moves::BIGINT
      AS move_ns,
    sum((end_ts - ts) * waits::BIGINT) OVER w - (end_ts - ts) * waits::BIGINT
      AS wait_ns
  FROM device_segment
  WINDOW w AS (PARTITION BY device_id ORDER BY ts ROWS UNBOUNDED PRECEDING)
), edges AS (
  SELECT slice_id, device_id, ts AS edge, -1 AS sign FROM opened
  UNION ALL
  SELECT slice_id, device_id, end_ts, 1 FROM opened
)
SELECT
  e.slice_id,
  sum(e.sign * (k.bare_ns + (e.edge - k.ts) * k.bare::BIGINT))::BIGINT
    AS exposed_ns,
  sum(e.sign * (k.move_ns + (e.edge - k.ts) * k.moves::BIGINT))::BIGINT
    AS exposed_transfer_ns,
  sum(e.sign * (k.wait_ns + (e.edge - k.ts) * k.waits::BIGINT))::BIGINT
    AS exposed_wait_ns
FROM edges AS e
ASOF JOIN kinds AS k
  ON e.device_id IS NOT DISTINCT FROM k.device_id AND e.edge >= k.ts
GROUP BY e.slice_id
HAVING count(*) = 2
