-- table: step_phase
-- about: The phases of each step on each device, from one start to the next: before
--        the first kernel, forward, backward (with its communication), optimizer,
--        after the last kernel. A phase begins with the first task that the host
--        decided on in it; without marks of phases all between is body, or what
--        an iteration of a server is for.
WITH kernels AS (
  SELECT
    device_id,
    step,
    min(ts) AS ts,
    max(end_ts) AS end_ts,
    min(ts) FILTER (state <= 3) AS first_ts,
    max(end_ts) FILTER (state <= 3) AS last_ts
  FROM step_segment
  GROUP BY device_id, step
), marks AS (
  SELECT m.step, r.phase, min(p.ts) AS ts
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  ASOF JOIN (FROM step_mark WHERE on_host) AS m ON p.ts >= m.ts
  WHERE r.phase IS NOT NULL AND p.ts < m.end_ts
  GROUP BY m.step, r.phase
), begun AS (
  SELECT d.device_id, m.step, m.phase, min(d.ts) AS ts
  FROM step_member AS d
  JOIN device_task AS t USING (slice_id)
  JOIN marks AS m ON d.step = m.step AND t.instant >= m.ts
  GROUP BY d.device_id, m.step, m.phase
), every AS (
  SELECT device_id, step, 'lead_in' AS phase, ts FROM kernels
  UNION ALL
  SELECT
    k.device_id, k.step,
    CASE
      WHEN k.step IN (SELECT step FROM marks) THEN 'forward'
      WHEN n.kind IN ('prefill', 'decode', 'mixed') THEN n.kind
      ELSE 'body'
    END,
    k.first_ts
  FROM kernels AS k
  LEFT JOIN step_kind AS n ON k.step = n.step
  WHERE k.first_ts IS NOT NULL
  UNION ALL
  SELECT b.device_id, b.step, b.phase, greatest(b.ts, k.first_ts)
  FROM begun AS b
  JOIN kernels AS k
    ON b.device_id IS NOT DISTINCT FROM k.device_id AND b.step = k.step
  WHERE b.ts < k.last_ts
  UNION ALL
  SELECT device_id, step, 'tail', last_ts
  FROM kernels
  -- Where the next step begins with it there is none.
  WHERE last_ts < end_ts
)
SELECT device_id, step, phase, ts
FROM every
ORDER BY device_id, ts,
  list_position([
    'lead_in', 'forward', 'prefill', 'decode', 'mixed', 'body', 'backward', 'optimizer',
    'tail'
  ], phase)
