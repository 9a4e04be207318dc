-- title:   Idle time that the host makes
-- about:   Idle time of the judged steps in which the host had not launched
--          yet. Between tasks it is split by the stage that was late, the
--          first, which enqueues (framework), or the second, which launches;
--          edges_ns is before the first and after the last task of a step.
--          Blocking calls are part of it. inflated names the switches of the
--          collection that made the host slower than it is.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          idle_ns BIGINT, framework_ns BIGINT, launch_ns BIGINT,
--          edges_ns BIGINT, kernels BIGINT, kernel_avg_ns BIGINT,
--          longest_ns BIGINT, line VARCHAR, inflated VARCHAR
-- needs:   stall, judged_step, step, slice, operator_total,
--          collection_switch
WITH total AS (
  SELECT
    s.rank,
    s.device_id,
    any_value(s.steps) AS steps,
    any_value(s.period) AS period,
    sum(s.dur)::BIGINT AS idle_ns,
    coalesce(sum(s.dur) FILTER (s.stage IN ('framework', 'launch')), 0)::BIGINT
      AS ns,
    coalesce(
      sum(s.dur) FILTER (s.stage = 'framework' AND s.place = 'between'), 0
    )::BIGINT AS framework_ns,
    coalesce(
      sum(s.dur) FILTER (s.stage = 'launch' AND s.place = 'between'), 0
    )::BIGINT AS launch_ns,
    arg_max(
      {'step': s.step, 'ts': s.ts, 'dur': s.dur, 'line': s.line_slice_id},
      by_length(s.dur, s.ts)
    ) FILTER (s.stage IN ('framework', 'launch')) AS longest,
    arg_max(s.shown_slice_id, by_length(s.dur, s.ts), 5) FILTER (
      s.stage IN ('framework', 'launch') AND s.shown_slice_id IS NOT NULL
    ) AS evidence,
    bool_or(s.inferred) FILTER (s.stage IN ('framework', 'launch')) AS inferred
  FROM judged_stalls($rank, $step) AS s
  WHERE s.state = 'idle'
  GROUP BY s.rank, s.device_id
), run AS (
  SELECT o.rank, sum(o.count)::BIGINT AS kernels, sum(o.total) AS total
  FROM operator_total AS o
  JOIN judged($rank, $step) AS j ON j.rank = o.rank AND j.step = o.step
  WHERE NOT communicates(o.core)
  GROUP BY o.rank
), named AS (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, name
  FROM slice
  WHERE slice_id IN (SELECT longest.line FROM total)
), slowed AS (
  SELECT rank, string_agg(name, ', ' ORDER BY name) AS inflated
  FROM collection_switch
  WHERE slows = 'host'
  GROUP BY rank
)
SELECT
  'host_bound' AS rule,
  CASE WHEN w.inflated IS NOT NULL THEN 'provisional' END AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  array_to_string(t.evidence, ' ') AS evidence,
  t.inferred,
  NULL::VARCHAR AS missing,
  t.idle_ns,
  t.framework_ns,
  t.launch_ns,
  t.ns - t.framework_ns - t.launch_ns AS edges_ns,
  r.kernels,
  (r.total // nullif(r.kernels, 0))::BIGINT AS kernel_avg_ns,
  t.longest.dur AS longest_ns,
  l.name AS line,
  w.inflated
FROM total AS t
LEFT JOIN run AS r ON r.rank = t.rank
LEFT JOIN slowed AS w ON w.rank = t.rank
LEFT JOIN named AS l ON l.slice_id = t.longest.line
WHERE t.longest IS NOT NULL
ORDER BY t.rank, t.device_id
