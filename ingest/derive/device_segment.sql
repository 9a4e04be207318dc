-- table: device_segment
-- about: A device's time cut wherever its state may change, and at the borders
--        of the steps' periods; each stretch is in exactly one state.
WITH changes AS (
  SELECT device_id, ts AS edge, state, 1 AS delta FROM device_span
  UNION ALL
  SELECT device_id, end_ts, state, -1 FROM device_span
  UNION ALL
  SELECT d.device_id, unnest([p.ts, p.ts + p.dur]), 10, 0
  FROM step_period AS p
  CROSS JOIN (SELECT DISTINCT device_id FROM device_span) AS d
), instants AS (
  SELECT
    device_id,
    edge,
    sum(delta) FILTER (state = 1) AS d1,
    sum(delta) FILTER (state = 2) AS d2,
    sum(delta) FILTER (state = 3) AS d3,
    sum(delta) FILTER (state = 4) AS d4,
    sum(delta) FILTER (state = 5) AS d5,
    sum(delta) FILTER (state = 6) AS d6,
    sum(delta) FILTER (state = 7) AS d7,
    sum(delta) FILTER (state = 8) AS d8,
    sum(delta) FILTER (state = 9) AS d9
  FROM changes
  GROUP BY device_id, edge
), running AS (
  SELECT
    device_id,
    edge AS ts,
    lead(edge) OVER w AS end_ts,
    sum(d1) OVER w > 0 AS s1,
    sum(d2) OVER w > 0 AS s2,
    sum(d3) OVER w > 0 AS s3,
    sum(d4) OVER w > 0 AS s4,
    sum(d5) OVER w > 0 AS s5,
    sum(d6) OVER w > 0 AS s6,
    sum(d7) OVER w > 0 AS s7,
    sum(d8) OVER w > 0 AS s8,
    sum(d9) OVER w > 0 AS s9
  FROM instants
  WINDOW w AS (PARTITION BY device_id ORDER BY edge)
)
SELECT
  device_id,
  ts,
  end_ts,
  CASE
    WHEN s1 THEN 'computing'
    WHEN s2 THEN 'mc2'
    WHEN s3 THEN 'aicpu'
    WHEN s4 THEN 'transferring'
    WHEN s5 THEN 'copying'
    WHEN s6 THEN 'waiting_peer'
    WHEN s7 THEN 'waiting_stage'
    WHEN s8 THEN 'collective_other'
    WHEN s9 THEN 'waiting_event'
    ELSE 'idle'
  END AS state,
  coalesce(s1 OR s2 OR s3, false) AS computes,
  coalesce(s8 OR s4, false) AS communicates
FROM running
WHERE end_ts > ts
