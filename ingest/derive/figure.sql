-- table: figure
-- about: The official figures of each step from the Overlap Analysis lane by the
--        vendor's rule: an event counts wholly in the first step whose device
--        range holds its start. Without that lane, from the union of slices.
WITH launched AS (
  SELECT k.launch_ts, p.ts, p.ts + p.dur AS end_ts, coalesce(e.ts, k.launch_ts) AS edge
  FROM launch_link AS k
  JOIN placed AS p USING (slice_id)
  LEFT JOIN placed AS e ON e.slice_id = k.enqueue_slice_id
), launches AS (
  SELECT launch_ts, min(edge) AS edge, min(ts) AS ts, max(end_ts) AS end_ts
  FROM launched GROUP BY launch_ts
), ranges AS (
  -- From the first launch's first task to the last launch's last, or host end.
  SELECT
    p.step,
    CASE p.source
      WHEN 'profiler_step' THEN arg_min(l.ts, l.launch_ts)
      ELSE any_value(p.ts)
    END AS ts,
    CASE p.source
      WHEN 'profiler_step' THEN greatest(
        arg_max(l.end_ts, l.launch_ts), any_value(p.host_ts + p.host_dur)
      )
      ELSE any_value(p.ts + p.dur)
    END AS end_ts,
    any_value(p.kind) AS kind,
    any_value(p.host_ts) AS host_ts
  FROM step_period AS p
  LEFT JOIN launches AS l
    ON l.edge >= p.host_ts AND l.edge < p.host_ts + p.host_dur
  GROUP BY p.step, p.source
), devices AS (
  SELECT min(device_id) AS device_id FROM lane WHERE kind = 'overlap'
), events AS (
  SELECT p.slice_id, n.text AS name, p.ts, p.dur
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  CROSS JOIN devices AS d
  WHERE l.kind = 'overlap' AND l.device_id IS NOT DISTINCT FROM d.device_id
), received AS (
  SELECT p.ts, p.dur
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE l.kind = 'group' AND starts_with(n.text, 'hcom_receive')
), attributed AS (
  SELECT e.*, arg_min(r.step, r.ts) AS step
  FROM events AS e
  JOIN ranges AS r ON r.kind = 'run' OR (e.ts >= r.ts AND e.ts < r.end_ts)
  GROUP BY ALL
), bubbles AS (
  SELECT r.step, try_cast(sum(e.dur) AS BIGINT) AS bubble
  FROM received AS e
  JOIN ranges AS r ON r.kind = 'run' OR (e.ts >= r.ts AND e.ts < r.end_ts)
  GROUP BY r.step
), lane_sums AS (
  SELECT
    a.step,
    try_cast(coalesce(sum(dur) FILTER (name = 'Computing'), 0) AS BIGINT) AS computing,
    try_cast(coalesce(sum(dur) FILTER (name = 'Communication'), 0) AS BIGINT)
      AS communication,
    coalesce(sum(dur) FILTER (
      name = 'Communication(Not Overlapped)'
    ), 0)::BIGINT AS communication_not_overlapped,
    try_cast(coalesce(sum(dur) FILTER (name = 'Free'), 0) AS BIGINT) AS free,
    max(ts + dur) - min(ts) - any_value(coalesce(b.bubble, 0)) AS stage,
    any_value(coalesce(b.bubble, 0)) AS bubble,
    min(ts) FILTER (name IN ('Computing', 'Communication')) AS first_ts
  FROM attributed AS a
  LEFT JOIN bubbles AS b USING (step)
  GROUP BY a.step
), working AS (
  SELECT p.step, g.*
  FROM device_segment AS g
  ASOF JOIN step_period AS p ON g.ts >= p.ts
  WHERE g.ts < p.ts + p.dur
    AND g.device_id IS NOT DISTINCT FROM (
      SELECT min(device_id) FROM device_segment
    )
), extents AS (
  SELECT step, min(ts) AS first_ts, max(end_ts) AS last_ts
  FROM working WHERE computes OR communicates GROUP BY step
), unions AS (
  SELECT
    w.step,
    try_cast(coalesce(sum(end_ts - ts) FILTER (computes), 0) AS BIGINT) AS computing,
    try_cast(coalesce(sum(end_ts - ts) FILTER (communicates), 0) AS BIGINT)
      AS communication,
    try_cast(coalesce(sum(end_ts - ts) FILTER (communicates AND NOT computes), 0) AS BIGINT)
      AS communication_not_overlapped,
    try_cast(coalesce(sum(end_ts - ts) FILTER (NOT communicates AND NOT computes), 0) AS BIGINT) AS free,
    any_value(x.last_ts - x.first_ts) - any_value(coalesce(b.bubble, 0))
      AS stage,
    any_value(coalesce(b.bubble, 0)) AS bubble,
    any_value(x.first_ts) AS first_ts
  FROM working AS w
  JOIN extents AS x ON w.step = x.step
    AND w.ts >= x.first_ts AND w.ts < x.last_ts
  LEFT JOIN bubbles AS b ON w.step = b.step
  GROUP BY w.step
), sums AS (
  SELECT *, 'overlap_lane' AS source FROM lane_sums
  UNION ALL
  SELECT *, 'own_union' FROM unions
  WHERE NOT EXISTS (FROM events)
)
SELECT
  s.step,
  s.computing,
  s.communication,
  s.communication_not_overlapped,
  s.communication - s.communication_not_overlapped AS overlapped,
  s.free,
  s.stage,
  s.bubble,
  s.first_ts - r.host_ts AS preparing,
  s.source
FROM sums AS s
JOIN ranges AS r USING (step)
