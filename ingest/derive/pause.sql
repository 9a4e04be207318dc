-- table: pause
-- about: Parts of silences in which a server had no request: no iteration was open,
--        for ten times as long as usually between two of them, and at least 10 ms. What
--        the host does in them is looked at where the silence is given its cause.
WITH reached AS (
  SELECT
    max(end_ts) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS ts,
    lead(ts) OVER (ORDER BY ts) AS end_ts
  FROM step_mark
  WHERE EXISTS (FROM step_kind WHERE kind IN ('prefill', 'decode', 'mixed'))
), between_two AS (
  SELECT *, median(greatest(end_ts - ts, 0)) OVER () AS usual
  FROM reached
  WHERE end_ts IS NOT NULL
), pauses AS (
  FROM between_two
  WHERE end_ts - ts >= greatest(10 * usual, $least_pause)
)
SELECT
  s.silence,
  greatest(s.ts, p.ts) AS ts,
  least(coalesce(s.late_end, s.end_ts), p.end_ts) AS end_ts
FROM silence AS s
ASOF JOIN pauses AS p ON s.end_ts > p.ts
WHERE least(coalesce(s.late_end, s.end_ts), p.end_ts) > greatest(s.ts, p.ts)
