-- about: Time behind the last iteration of a server, of which no step has a part: as
--        long as what counts as without a request between two of them.
WITH reached AS (
  SELECT
    max(end_ts) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS ts,
    lead(ts) OVER (ORDER BY ts) AS end_ts
  FROM step_mark
  WHERE EXISTS (FROM step_kind WHERE kind IN ('prefill', 'decode', 'mixed'))
), usual AS (
  SELECT median(greatest(end_ts - ts, 0)) AS dur FROM reached WHERE end_ts IS NOT NULL
), ended AS (
  SELECT greatest(max(ts + dur), (SELECT max(end_ts) FROM device_task)) AS ts
  FROM step_period
)
SELECT
  '' AS file,
  'info' AS severity,
  1 AS count,
  format('no_work: {:.3f} ms without an iteration', ($trace_end - e.ts) / 1e6) AS sample
FROM ended AS e
CROSS JOIN usual AS u
WHERE EXISTS (FROM reached)
  AND $trace_end - e.ts >= greatest(10 * u.dur, $least_pause)
