-- table: figure
-- about: The official figures of each step from the Overlap Analysis lane by the
--        vendor's rule: an event counts wholly in the first step whose device
--        range holds its start. Without that lane, from the union of slices.
WITH launches AS (
  SELECT launch_ts, min(instant) AS edge, min(ts) AS ts, max(end_ts) AS end_ts
  FROM launch_link
  WHERE EXISTS (FROM step_period WHERE source = 'profiler_step')
  GROUP BY launch_ts
), edges AS (
  SELECT DISTINCT unnest([host_ts, host_ts + host_dur]) AS edge FROM step_period
), bands AS (
  -- The first and last launch between two neighbouring edges of the steps, which
  -- may overlap.
  SELECT
    e.edge,
    min(l.launch_ts) AS first_launch,
    arg_min(l.ts, l.launch_ts) AS ts,
    max(l.launch_ts) AS last_launch,
    arg_max(l.end_ts, l.launch_ts) AS end_ts
  FROM launches AS l
  ASOF JOIN edges AS e ON l.edge >= e.edge
  GROUP BY e.edge
), ranges AS (
  -- From the first launch's first task to the last launch's last, or host end; a
  -- run without steps holds everything.
  SELECT
    p.step,
    CASE
      WHEN p.kind = 'run' THEN -9223372036854775808
      WHEN p.source = 'profiler_step' THEN arg_min(b.ts, b.first_launch)
      ELSE p.ts
    END AS ts,
    CASE
      WHEN p.kind = 'run' THEN 9223372036854775807
      WHEN p.source = 'profiler_step' THEN greatest(
        arg_max(b.end_ts, b.last_launch), p.host_ts + p.host_dur
      )
      ELSE p.ts + p.dur
    END AS end_ts,
    p.host_ts
  FROM step_period AS p
  LEFT JOIN bands AS b
    ON b.edge >= p.host_ts AND b.edge < p.host_ts + p.host_dur
  GROUP BY p.step, p.source, p.kind, p.ts, p.dur, p.host_ts, p.host_dur
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
), borders AS (
  SELECT DISTINCT unnest([ts, end_ts]) AS edge FROM ranges
), turns AS (
  -- The first step that holds the time from a border to the next.
  SELECT b.edge, arg_min(r.step, (r.ts, r.step)) AS step
  FROM borders AS b
  LEFT JOIN ranges AS r ON b.edge >= r.ts AND b.edge < r.end_ts
  GROUP BY b.edge
), attributed AS (
  SELECT e.*, t.step
  FROM events AS e
  ASOF JOIN turns AS t ON e.ts >= t.edge
  WHERE t.step IS NOT NULL
), bubbles AS (
  SELECT r.step, try_cast(sum(e.dur) AS BIGINT) AS bubble
  FROM received AS e
  JOIN ranges AS r ON e.ts >= r.ts AND e.ts < r.end_ts
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
), own AS (
  SELECT min(device_id) AS device_id FROM device_segment HAVING NOT EXISTS (FROM events)
), working AS (
  SELECT p.step, g.*
  FROM (
    SELECT g.*
    FROM device_segment AS g
    JOIN own AS o ON g.device_id IS NOT DISTINCT FROM o.device_id
  ) AS g
  ASOF JOIN step_period AS p ON g.ts >= p.ts
  WHERE g.ts < p.ts + p.dur
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
