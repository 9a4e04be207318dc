-- about: The period of each step, in the order of the starts.
SELECT step, ts, ts + dur AS end_ts
FROM step_period
ORDER BY ts, step
