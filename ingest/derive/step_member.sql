-- table: step_member
-- about: The step that each device task belongs to: the one in which the host
--        decided on it, whenever it ran. A task whose launch is not recorded
--        goes by its own start. Between ranges of a program there is no step.
WITH marks AS (
  SELECT *, lead(ts) OVER (ORDER BY ts) AS next_ts
  FROM step_mark
  WHERE ts IS NOT NULL
), tasks AS (
  SELECT
    d.*,
    CASE WHEN m.on_host THEN coalesce(d.instant, d.ts) ELSE d.ts END AS edge
  FROM device_task AS d
  CROSS JOIN (SELECT any_value(on_host) AS on_host FROM marks) AS m
)
SELECT t.slice_id, t.device_id, t.ts, t.end_ts, m.step
FROM tasks AS t
ASOF JOIN marks AS m ON t.edge >= m.ts
WHERE t.edge < CASE WHEN m.alone THEN m.end_ts ELSE coalesce(m.next_ts, m.end_ts) END
  OR m.kind = 'run'
