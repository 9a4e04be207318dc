-- table: step_period
-- about: The period of each step: from the device end of the step before to its
--        own, the first from its host start, the last to the later of device
--        end and host end. A step without its neighbour in the profile is a
--        first or a last one.
WITH spans AS (
  SELECT step, min(ts) AS device_ts, max(end_ts) AS device_end
  FROM step_member
  GROUP BY step
), reached AS (
  SELECT
    m.*,
    s.device_ts,
    s.device_end,
    max(
      CASE WHEN m.on_host THEN coalesce(s.device_end, m.end_ts)
      ELSE m.end_ts END
    ) OVER (ORDER BY m.ts ROWS UNBOUNDED PRECEDING) AS reach
  FROM step_mark AS m
  LEFT JOIN spans AS s USING (step)
  WHERE m.ts IS NOT NULL
), ended AS (
  SELECT
    *,
    lag(step) OVER w = step - 1 AS follows,
    CASE WHEN lead(step) OVER w = step + 1 THEN reach
    ELSE greatest(reach, max(end_ts) OVER w) END AS period_end
  FROM reached
  WINDOW w AS (ORDER BY ts ROWS UNBOUNDED PRECEDING)
), bordered AS (
  SELECT
    *,
    CASE WHEN follows THEN lag(period_end) OVER w
    -- What the step before left running on the device is still its own.
    ELSE greatest(ts, coalesce(lag(period_end) OVER w, ts)) END AS period_ts
  FROM ended
  WINDOW w AS (ORDER BY ts)
)
SELECT
  step,
  source,
  kind,
  period_ts AS ts,
  greatest(period_end - period_ts, 0) AS dur,
  CASE WHEN on_host THEN ts END AS host_ts,
  CASE WHEN on_host THEN end_ts - ts END AS host_dur,
  CASE WHEN source = 'pattern' THEN ts ELSE device_ts END AS device_ts,
  CASE WHEN source = 'pattern' THEN end_ts ELSE device_end END AS device_end
FROM bordered
ORDER BY ts
