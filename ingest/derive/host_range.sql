-- about: What each step spans on the host, in the order of the starts.
SELECT step, ts, end_ts
FROM step_mark
WHERE ts IS NOT NULL
ORDER BY ts, step
