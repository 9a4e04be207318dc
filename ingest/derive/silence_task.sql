-- table: silence_task
-- about: Stretches in which a device has no work: its gaps, the time from the start
--        of the first period to its first task and from its last task to the end
--        of the last period; the whole where it never has any. Each with the task
--        that ends it, and with what was launched for it: a task of a plane was
--        launched with its collective.
WITH reached AS (
  SELECT
    device_id,
    min(ts) FILTER (state < 9) AS first_ts,
    max(end_ts) FILTER (state < 9) AS last_ts
  FROM device_segment
  GROUP BY device_id
), around AS (
  SELECT min(ts) AS ts, max(ts + dur) AS end_ts FROM step_period
), ends AS (
  SELECT
    r.device_id, a.ts, r.first_ts AS end_ts, NULL::BIGINT AS prev_slice_id,
    (
      SELECT arg_min(d.slice_id, (d.state, d.slice_id)) FROM device_span AS d
      WHERE d.device_id IS NOT DISTINCT FROM r.device_id
        AND d.ts = r.first_ts AND d.state < 9
    ) AS next_slice_id
  FROM reached AS r CROSS JOIN around AS a
  WHERE r.first_ts > a.ts
  UNION ALL
  SELECT
    r.device_id, r.last_ts, a.end_ts,
    (
      SELECT arg_min(d.slice_id, (d.state, d.slice_id)) FROM device_span AS d
      WHERE d.device_id IS NOT DISTINCT FROM r.device_id
        AND d.end_ts = r.last_ts AND d.state < 9
    ),
    NULL
  FROM reached AS r CROSS JOIN around AS a
  WHERE r.last_ts < a.end_ts
  UNION ALL
  SELECT r.device_id, a.ts, a.end_ts, NULL, NULL
  FROM reached AS r CROSS JOIN around AS a
  WHERE r.first_ts IS NULL AND a.end_ts > a.ts
), every AS (
  SELECT
    (gap_id - $base)::INTEGER AS silence, gap_id, device_id, ts, end_ts,
    prev_slice_id, next_slice_id
  FROM numbered_gap
  WHERE kind = 'device'
  UNION ALL
  -- Those that are no gaps are few, and count down.
  SELECT
    -(row_number() OVER (ORDER BY ts, device_id))::INTEGER, NULL, device_id, ts, end_ts,
    prev_slice_id, next_slice_id
  FROM ends
), opened AS (
  SELECT slice_id, any_value(collective_slice_id) AS collective_slice_id
  FROM plane_task
  WHERE slice_id IN (SELECT next_slice_id FROM every)
  GROUP BY slice_id
)
SELECT s.*, coalesce(o.collective_slice_id, s.next_slice_id) AS launched_slice_id
FROM every AS s
LEFT JOIN opened AS o ON s.next_slice_id = o.slice_id
