-- table: device_segment
-- about: A device's time cut wherever its state may change, and at the borders
--        of the steps' periods; each stretch is in exactly one state, numbered as
--        in device_span, 10 where it is idle.
WITH changes AS (
  SELECT device_id, ts AS edge, state, 1 AS delta FROM device_span
  UNION ALL
  SELECT device_id, end_ts, state, -1 FROM device_span
  UNION ALL
  SELECT d.device_id, unnest([p.ts, p.ts + p.dur]), 10, 0
  FROM step_period AS p
  CROSS JOIN (SELECT DISTINCT device_id FROM device_span) AS d
), running AS (
  -- Counted up to and with all changes of the instant; all but the last of them
  -- have the instant itself as the next and are left out below.
  SELECT
    device_id,
    edge AS ts,
    lead(edge) OVER w AS end_ts,
    sum(CASE state WHEN 1 THEN delta ELSE 0 END) OVER w > 0 AS s1,
    sum(CASE state WHEN 2 THEN delta ELSE 0 END) OVER w > 0 AS s2,
    sum(CASE state WHEN 3 THEN delta ELSE 0 END) OVER w > 0 AS s3,
    sum(CASE state WHEN 4 THEN delta ELSE 0 END) OVER w > 0 AS s4,
    sum(CASE state WHEN 5 THEN delta ELSE 0 END) OVER w > 0 AS s5,
    sum(CASE state WHEN 6 THEN delta ELSE 0 END) OVER w > 0 AS s6,
    sum(CASE state WHEN 7 THEN delta ELSE 0 END) OVER w > 0 AS s7,
    sum(CASE state WHEN 8 THEN delta ELSE 0 END) OVER w > 0 AS s8,
    sum(CASE state WHEN 9 THEN delta ELSE 0 END) OVER w > 0 AS s9
  FROM changes
  WINDOW w AS (PARTITION BY device_id ORDER BY edge)
)
SELECT
  device_id,
  ts,
  end_ts,
  CASE
    WHEN s1 THEN 1
    WHEN s2 THEN 2
    WHEN s3 THEN 3
    WHEN s4 THEN 4
    WHEN s5 THEN 5
    WHEN s6 THEN 6
    WHEN s7 THEN 7
    WHEN s8 THEN 8
    WHEN s9 THEN 9
    ELSE 10
  END::UTINYINT AS state,
  s1 OR s2 OR s3 AS computes,
  s4 OR s8 AS communicates
FROM running
WHERE end_ts > ts
