-- table: step_segment
-- about: The stretches of a device's time that lie in the period of a step, with it.
SELECT g.device_id, g.ts, g.end_ts, g.state, p.step
FROM device_segment AS g
ASOF JOIN step_period AS p ON g.ts >= p.ts
WHERE g.ts < p.ts + p.dur
