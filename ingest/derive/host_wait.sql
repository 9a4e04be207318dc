-- table: host_wait
-- about: Calls in which a thread of the host waits for the device, the outer one of
--        several for the same wait. What a call of the profiler waits for is its
--        own doing: the outermost frames of it are known by their names.
WITH profiler AS (
  SELECT m.pattern
  FROM pattern AS m
  JOIN word AS w ON m.name_code = w.code
  WHERE regexp_matches(
    w.text, '(^|/)(torch_npu|mindspore)/profiler/|^(AscendCL@)?aclprof'
  )
), calls AS (
  SELECT
    p.slice_id,
    t.thread,
    regexp_matches(w.text, 'Mem(cpy|Copy)') AS moves,
    p.ts,
    p.ts + p.dur AS end_ts,
    n.parent_id
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  JOIN host_thread AS t USING (track_id)
  JOIN nesting AS n USING (slice_id)
  JOIN word AS w ON p.name = w.code
  WHERE r.role = 'sync'
), profiling AS (
  SELECT
    t.thread,
    p.ts,
    -- Inner ones end before the outer that is still open.
    max(p.ts + p.dur) OVER (
      PARTITION BY t.thread ORDER BY p.ts ROWS UNBOUNDED PRECEDING
    ) AS end_ts
  FROM placed AS p
  JOIN host_thread AS t USING (track_id)
  SEMI JOIN profiler USING (pattern)
), ran AS (
  SELECT min(ts) AS ts, max(ts + dur) AS end_ts FROM step_period
)
SELECT
  c.slice_id,
  c.thread,
  c.moves,
  c.ts,
  c.end_ts,
  CASE
    WHEN f.end_ts >= c.end_ts THEN 'profiler'
    WHEN c.ts >= r.end_ts THEN 'after the last step'
    WHEN c.end_ts <= r.ts THEN 'before the first step'
  END AS excluded
FROM calls AS c
ANTI JOIN calls AS o ON c.parent_id = o.slice_id
CROSS JOIN ran AS r
ASOF LEFT JOIN profiling AS f ON c.thread = f.thread AND c.ts >= f.ts
