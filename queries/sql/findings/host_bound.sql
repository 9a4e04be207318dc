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
WITH judged AS (
  SELECT
    rank,
    step,
    ts,
    dur,
    count(*) OVER (PARTITION BY rank) AS steps,
    sum(dur) OVER (PARTITION BY rank)::BIGINT AS period
  FROM judged_step
  WHERE ($rank IS NULL OR rank = $rank)
    AND CASE WHEN $step IS NULL THEN judged ELSE step = $step END
), total AS (
  SELECT
    s.rank,
    s.device_id,
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
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
      (s.dur, -s.ts)
    ) FILTER (s.stage IN ('framework', 'launch')) AS longest,
    arg_max(
      coalesce(s.evidence_slice_id, s.next_slice_id), (s.dur, -s.ts), 5
    ) FILTER (
      s.stage IN ('framework', 'launch')
      AND coalesce(s.evidence_slice_id, s.next_slice_id) IS NOT NULL
    ) AS evidence,
    bool_or(s.inferred) FILTER (s.stage IN ('framework', 'launch')) AS inferred
  FROM stall AS s
  JOIN judged AS j ON j.rank = s.rank AND j.step = s.step
  WHERE s.state = 'idle'
  GROUP BY s.rank, s.device_id
), run AS (
  SELECT o.rank, sum(o.count)::BIGINT AS kernels, sum(o.total) AS total
  FROM operator_total AS o
  JOIN judged AS j ON j.rank = o.rank AND j.step = o.step
  WHERE upper(o.core) IN ('COMMUNICATION', 'HCCL', 'HCCL_AI_CPU', 'CCU')
    IS NOT TRUE
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
