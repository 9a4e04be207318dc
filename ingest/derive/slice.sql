-- table: slice
-- about: Slices with nesting and step: host slices by the host range that holds
--        their start, device tasks by the step that launched them, other device
--        slices by the period that holds their start.
WITH marks AS (
  SELECT step, ts, lead(ts) OVER (ORDER BY ts) AS next_ts, end_ts
  FROM step_mark
  WHERE ts IS NOT NULL
)
SELECT
  p.slice_id,
  $rank::INTEGER AS rank,
  p.track_id,
  p.ts,
  p.dur,
  p.ts + p.dur AS end_ts,
  n.depth,
  n.sublane,
  n.parent_id,
  n.text AS name,
  c.text AS category,
  p.class,
  r.part,
  t.text AS task_type,
  p.stream_id,
  p.task_id,
  p.connection_id,
  CASE
    WHEN l.kind IN ('stream', 'group', 'plane', 'overlap', 'step')
      THEN coalesce(
        m.step, CASE WHEN p.ts < d.ts + d.dur THEN d.step END
      )
    WHEN p.ts < h.end_ts THEN h.step
  END AS step,
  h.text AS phase,
  p.unfinished,
  p.arg_set_id
FROM placed AS p
JOIN nesting AS n USING (slice_id)
JOIN lane AS l USING (track_id)
JOIN word AS n ON p.name = n.code
JOIN word AS h ON p.phase = h.code
LEFT JOIN word AS c ON p.category = c.code
LEFT JOIN word AS t ON p.task_type = t.code
LEFT JOIN part AS r USING (slice_id)
LEFT JOIN step_member AS m USING (slice_id)
ASOF LEFT JOIN step_period AS d ON p.ts >= d.ts
ASOF LEFT JOIN marks AS h ON p.ts >= h.ts
ORDER BY p.slice_id
