-- table: aicpu_call
-- about: Kernels on an AI CPU, and how long of each no other kernel of its device runs but
--        collectives and those on an AI CPU, too.
WITH mine AS (
  SELECT kernel_id, coalesce(device_id, -1) AS device_id, step, ts, dur
  FROM kernel
  WHERE upper(core) IN ('AI_CPU', 'AICPU', 'KERNEL_AICPU')
), reached AS (
  SELECT
    device_id,
    ts,
    -- Broken lengths may pass any width.
    max(ts + dur::HUGEINT) OVER (PARTITION BY device_id ORDER BY ts) AS end_ts
  FROM mine
), beside AS (
  -- Few run beside one of them: it is these that are sorted.
  SELECT c.*
  FROM (
    SELECT
      k.kernel_id,
      coalesce(k.device_id, -1) AS device_id,
      k.ts,
      k.ts + k.dur::HUGEINT AS end_ts
    FROM kernel AS k
    JOIN kernel_shape AS s ON s.shape_id = k.shape_id
    WHERE EXISTS (FROM mine)
      AND upper(s.core) NOT IN ('AI_CPU', 'AICPU', 'KERNEL_AICPU')
      AND NOT list_contains($collective_cores, upper(s.core))
  ) AS c
  ASOF JOIN reached AS m ON m.device_id = c.device_id AND m.ts < c.end_ts
  WHERE m.end_ts > c.ts
), counted AS (
  SELECT
    *,
    max(end_ts) OVER (
      PARTITION BY device_id ORDER BY ts, kernel_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before
  FROM beside
), swept AS (
  -- How long one of them runs until all that has begun by then ends.
  SELECT
    device_id,
    ts,
    greatest(end_ts, before) AS end_ts,
    sum(greatest(0, end_ts - greatest(ts, before))) OVER (
      PARTITION BY device_id ORDER BY ts, kernel_id ROWS UNBOUNDED PRECEDING
    ) AS busy
  FROM counted
), covered AS (
  SELECT e.kernel_id, sum(e.sign * (s.busy - greatest(0, s.end_ts - e.ts))) AS dur
  FROM (
    SELECT kernel_id, device_id, ts, -1 AS sign FROM mine
    UNION ALL
    SELECT kernel_id, device_id, ts + dur::HUGEINT, 1 FROM mine
  ) AS e
  ASOF JOIN swept AS s ON s.device_id = e.device_id AND s.ts <= e.ts
  GROUP BY e.kernel_id
)
SELECT
  m.kernel_id,
  $rank::INTEGER AS rank,
  m.step,
  (m.dur - coalesce(c.dur, 0))::BIGINT AS alone_ns
FROM mine AS m
LEFT JOIN covered AS c ON c.kernel_id = m.kernel_id
ORDER BY m.kernel_id
