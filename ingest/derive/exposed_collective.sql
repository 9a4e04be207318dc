-- table: exposed_collective
-- about: The part of each collective under which nothing computes, and what of
--        that moves data or waits. Counted on the device: of two collectives at
--        once both have what they share.
WITH opened AS (
  SELECT p.slice_id, l.device_id, p.ts, p.ts + p.dur AS end_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'group'
), bare AS (
  -- Stretches without a kernel, with the sums of those before.
  SELECT
    device_id,
    ts,
    end_ts,
    state = 4 AS moves,
    state IN (6, 7) AS waits,
    sum(end_ts - ts) OVER w - (end_ts - ts) AS bare_ns,
    sum(CASE state WHEN 4 THEN end_ts - ts ELSE 0 END) OVER w
      - CASE state WHEN 4 THEN end_ts - ts ELSE 0 END AS move_ns,
    sum(CASE WHEN state IN (6, 7) THEN end_ts - ts ELSE 0 END) OVER w
      - CASE WHEN state IN (6, 7) THEN end_ts - ts ELSE 0 END AS wait_ns
  FROM device_segment
  WHERE NOT computes AND EXISTS (FROM opened)
  WINDOW w AS (PARTITION BY device_id ORDER BY ts ROWS UNBOUNDED PRECEDING)
), edges AS (
  SELECT slice_id, device_id, ts AS edge, -1 AS sign FROM opened
  UNION ALL
  SELECT slice_id, device_id, end_ts, 1 FROM opened
), measured AS (
  SELECT
    e.slice_id,
    e.sign,
    coalesce(k.bare_ns, 0) AS bare_ns,
    coalesce(k.move_ns, 0) AS move_ns,
    coalesce(k.wait_ns, 0) AS wait_ns,
    coalesce(least(e.edge, k.end_ts) - k.ts, 0) AS begun_ns,
    coalesce(k.moves, false)::BIGINT AS moves,
    coalesce(k.waits, false)::BIGINT AS waits
  FROM edges AS e
  ASOF LEFT JOIN bare AS k
    ON e.device_id IS NOT DISTINCT FROM k.device_id AND e.edge >= k.ts
)
SELECT
  slice_id,
  sum(sign * (bare_ns + begun_ns))::BIGINT AS exposed_ns,
  sum(sign * (move_ns + begun_ns * moves))::BIGINT AS exposed_transfer_ns,
  sum(sign * (wait_ns + begun_ns * waits))::BIGINT AS exposed_wait_ns
FROM measured
GROUP BY slice_id
