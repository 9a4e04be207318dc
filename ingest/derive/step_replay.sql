-- table: step_replay
-- about: Replays of captured graphs as iterations. Where graphs always follow each
--        other in the same order they are the pieces of one iteration, which begins
--        with the first of them; otherwise each replay is one, whichever graph it is.
WITH calls AS (
  SELECT k.host_slice_id, min_by(k.slice_id, k.ts) AS first_slice_id, count(*) AS tasks
  FROM launch_link AS k
  WHERE k.host_slice_id IN (
    SELECT p.slice_id
    FROM placed AS p
    SEMI JOIN (FROM host_role WHERE role = 'replay') AS r USING (pattern)
  )
  GROUP BY k.host_slice_id
), replays AS (
  SELECT
    h.ts,
    h.ts + h.dur AS end_ts,
    c.tasks,
    json_extract_string(a.args, '$."Model Id"') AS model
  FROM calls AS c
  JOIN placed AS h ON c.host_slice_id = h.slice_id
  JOIN placed AS d ON c.first_slice_id = d.slice_id
  LEFT JOIN slice_arg AS a ON d.arg_set_id = a.arg_set_id
), followed AS (
  SELECT *, lead(model) OVER (ORDER BY ts) AS next_model FROM replays
), pieces AS (
  SELECT
    count(DISTINCT model) AS models,
    count(DISTINCT (model, next_model)) FILTER (next_model IS NOT NULL) AS pairs,
    arg_min(model, ts) AS first_model
  FROM followed
), begun AS (
  SELECT
    r.*,
    sum((p.models < 2 OR p.pairs > p.models OR r.model = p.first_model)::INTEGER)
      OVER (ORDER BY r.ts) AS step
  FROM replays AS r
  CROSS JOIN pieces AS p
)
SELECT
  'graph_replay' AS source,
  'iteration' AS kind,
  step::INTEGER AS step,
  min(ts) AS ts,
  max(end_ts) AS end_ts,
  NULL::VARCHAR AS name
FROM begun
GROUP BY step
HAVING (SELECT count(DISTINCT step) FROM begun) >= $least_iterations
  AND (SELECT 2 * sum(tasks) FROM replays) >= (SELECT count(*) FROM device_task)
