-- table: silence
-- about: Stretches in which a device has no work: its gaps, the time from the start
--        of the first period to its first task and from its last task to the end
--        of the last period; the whole where it never has any. Each with the launch of the task that ends it.
--        "late_end" is the end of the part in which that task was not launched yet:
--        the whole where no task follows, NULL where the launch is not known.
WITH reached AS (
  SELECT
    device_id,
    min(ts) FILTER (state < 9) AS first_ts,
    max(end_ts) FILTER (state < 9) AS last_ts
  FROM device_segment
  GROUP BY device_id
), around AS (
  SELECT min(ts) AS ts, max(ts + dur) AS end_ts FROM step_period
), every AS (
  SELECT gap_id, device_id, ts, end_ts, prev_slice_id, next_slice_id
  FROM numbered_gap
  WHERE kind = 'device'
  UNION ALL
  SELECT
    NULL, r.device_id, a.ts, r.first_ts, NULL,
    (
      SELECT arg_min(d.slice_id, (d.state, d.slice_id)) FROM device_span AS d
      WHERE d.device_id IS NOT DISTINCT FROM r.device_id
        AND d.ts = r.first_ts AND d.state < 9
    )
  FROM reached AS r CROSS JOIN around AS a
  WHERE r.first_ts > a.ts
  UNION ALL
  SELECT
    NULL, r.device_id, r.last_ts, a.end_ts,
    (
      SELECT arg_min(d.slice_id, (d.state, d.slice_id)) FROM device_span AS d
      WHERE d.device_id IS NOT DISTINCT FROM r.device_id
        AND d.end_ts = r.last_ts AND d.state < 9
    ),
    NULL
  FROM reached AS r CROSS JOIN around AS a
  WHERE r.last_ts < a.end_ts
  UNION ALL
  SELECT NULL, r.device_id, a.ts, a.end_ts, NULL, NULL
  FROM reached AS r CROSS JOIN around AS a
  WHERE r.first_ts IS NULL AND a.end_ts > a.ts
), opened AS (
  -- A task of a plane was launched with its collective.
  SELECT slice_id, any_value(collective_slice_id) AS collective_slice_id
  FROM plane_task
  GROUP BY slice_id
), queued AS (
  SELECT DISTINCT t.thread
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  JOIN host_thread AS t USING (track_id)
  WHERE r.role = 'dequeue'
), stepping AS (
  -- The thread that counts the steps.
  SELECT arg_min(t.thread, (p.ts, p.slice_id)) AS thread
  FROM placed AS p
  JOIN host_thread AS t USING (track_id)
  WHERE p.class = 'step' AND t.kind IN ('python', 'host')
)
SELECT
  row_number() OVER (ORDER BY s.device_id, s.ts)::INTEGER AS silence,
  s.*,
  k.host_slice_id,
  k.enqueue_slice_id,
  k.instant,
  k.launch_ts,
  CASE
    WHEN s.next_slice_id IS NULL THEN s.end_ts
    -- What is not known is left out by greatest and least.
    WHEN k.launch_end IS NOT NULL THEN greatest(s.ts, least(s.end_ts, k.launch_end))
  END AS late_end,
  coalesce(k.inferred, false) AS inferred,
  CASE WHEN s.next_slice_id IS NULL THEN w.thread ELSE coalesce(e.thread, h.thread) END
    AS asking,
  h.thread AS launching,
  -- What a queue handed over without saying who had put it there.
  k.enqueue_slice_id IS NULL AND h.thread IN (SELECT thread FROM queued) AS unasked
FROM every AS s
LEFT JOIN opened AS o ON s.next_slice_id = o.slice_id
LEFT JOIN launch_link AS k
  ON k.slice_id = coalesce(o.collective_slice_id, s.next_slice_id)
LEFT JOIN placed AS ep ON k.enqueue_slice_id = ep.slice_id
LEFT JOIN host_thread AS e ON ep.track_id = e.track_id
LEFT JOIN placed AS hp ON k.host_slice_id = hp.slice_id
LEFT JOIN host_thread AS h ON hp.track_id = h.track_id
CROSS JOIN stepping AS w
