-- title:   Layout, AI CPU and all kernels
-- about:   What groups of kernels take of the judged steps: those that only
--          change layout or type (layout), those on an AI CPU while nothing
--          else computes (aicpu), and all that computes, where it is less
--          than most_share of the period (little_computing).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   most_share DOUBLE      share of the period that is not much
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, names VARCHAR, idle_share DOUBLE,
--          waiting_share DOUBLE
-- needs:   ledger, judged_step, step, kernel, layout_call, operator_total
WITH spent AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period,
    min(l.step) AS step,
    sum(l.dur) FILTER (l.state IN ('computing', 'mc2')) AS computing,
    sum(l.dur) FILTER (l.state = 'aicpu') AS aicpu,
    sum(l.dur) FILTER (l.state = 'idle') AS idle,
    sum(l.dur) FILTER (starts_with(l.state, 'waiting')) AS waiting
  FROM judged_ledger($rank, $step) AS l
  GROUP BY l.rank, l.device_id
), grouped AS (
  SELECT
    'layout' AS family, kernel_id, rank, device_id, slice_id, step, ts, dur,
    layout_type AS kind
  FROM layout_calls($rank, $step)
  UNION ALL
  SELECT
    'aicpu', kernel_id, rank, device_id, slice_id, step, ts, dur,
    coalesce(type, name) || coalesce(
      ' (' || replace(input_dtypes, ';', ', ') || ')', ''
    )
  FROM kernel
  WHERE upper(core) = 'AI_CPU'
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
), typed AS (
  SELECT
    k.family,
    k.rank,
    k.device_id,
    k.kind,
    count(*) AS count,
    sum(k.dur) AS total,
    arg_max(
      {'step': k.step, 'ts': k.ts, 'dur': k.dur, 'id': k.kernel_id},
      by_length(k.dur, k.kernel_id)
    ) AS longest,
    arg_max(k.slice_id, by_length(k.dur, k.kernel_id)) AS shown
  FROM grouped AS k
  JOIN judged($rank, $step) AS j ON j.rank = k.rank AND j.step = k.step
  GROUP BY k.family, k.rank, k.device_id, k.kind
), total AS (
  SELECT
    family,
    rank,
    device_id,
    sum(count)::BIGINT AS count,
    sum(total) AS total,
    arg_max(longest, (longest.dur, -longest.id)) AS longest,
    arg_max(shown, (total, -shown), 5) FILTER (shown IS NOT NULL) AS evidence,
    array_to_string(arg_max(kind, (total, kind), 3), ', ') AS names
  FROM typed
  GROUP BY family, rank, device_id
), told AS (
  SELECT
    t.family AS rule,
    s.rank,
    s.device_id,
    t.longest,
    s.steps,
    -- Kernels of several streams run at once: they gain no more than there is.
    CASE t.family
      WHEN 'aicpu' THEN coalesce(s.aicpu, 0)
      ELSE least(t.total, coalesce(s.computing, 0))
    END AS ns,
    s.period,
    array_to_string(t.evidence, ' ') AS evidence,
    t.count,
    t.names,
    s.idle,
    s.waiting
  FROM total AS t
  JOIN spent AS s
    ON s.rank = t.rank AND s.device_id IS NOT DISTINCT FROM t.device_id
  UNION ALL
  SELECT
    'little_computing',
    s.rank,
    s.device_id,
    {'step': CASE WHEN s.steps = 1 THEN s.step END, 'ts': NULL, 'dur': NULL,
      'id': NULL},
    s.steps,
    coalesce(s.computing, 0),
    s.period,
    NULL,
    c.count,
    NULL,
    s.idle,
    s.waiting
  FROM spent AS s
  JOIN (
    SELECT o.rank, sum(o.count)::BIGINT AS count
    FROM operator_total AS o
    JOIN judged($rank, $step) AS j ON j.rank = o.rank AND j.step = o.step
    WHERE NOT communicates(o.core)
    GROUP BY o.rank
  ) AS c ON c.rank = s.rank
  WHERE coalesce(s.computing, 0) < $most_share * s.period
)
SELECT
  rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  longest.step AS step,
  steps,
  ns::BIGINT AS ns,
  period,
  longest.ts AS ts,
  longest.dur AS dur,
  evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  count,
  names,
  coalesce(idle, 0) / period AS idle_share,
  coalesce(waiting, 0) / period AS waiting_share
FROM told
ORDER BY rank, device_id, rule
