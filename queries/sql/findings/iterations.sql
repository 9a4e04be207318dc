-- title:   Slow iterations of a server
-- about:   Of the judged iterations of a kind, time without a request left out:
--          the gaps between them in decoding, and those that took more than
--          twice the median of their kind, with what they have that it has not:
--          a longer gap, more tokens, or a longer run of the same tokens.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, kind VARCHAR, p50_ns BIGINT, p99_ns BIGINT,
--          longest_ns BIGINT, usual_gap_ns BIGINT, gap_ns BIGINT,
--          usual_run_ns BIGINT, run_ns BIGINT, cause VARCHAR, cause_ns BIGINT
-- needs:   step, stall, judged_step, iteration
WITH served AS (
  SELECT
    i.*,
    quantile_disc(i.served_ns, 0.5) OVER same AS p50_ns,
    quantile_disc(i.served_ns, 0.99) OVER same AS p99_ns,
    quantile_disc(i.gap_ns, 0.5) OVER same AS usual_gap_ns,
    quantile_disc(i.run_ns, 0.5) OVER same AS usual_run_ns,
    quantile_disc(i.tokens, 0.5) OVER same AS usual_tokens,
    count(*) OVER same AS steps,
    sum(i.served_ns) OVER same AS period
  FROM judged($rank, $step) AS j
  JOIN iteration AS i ON i.rank = j.rank AND i.step = j.step
  WHERE i.kind IN ('prefill', 'decode', 'mixed')
  WINDOW same AS (PARTITION BY i.rank, i.kind)
), told AS (
  SELECT 'iteration_gap' AS rule, *, gap_ns AS ns
  FROM served
  WHERE kind = 'decode'
    AND gap_ns IS NOT NULL
  UNION ALL
  SELECT 'slow_iterations', *, served_ns - p50_ns
  FROM served
  WHERE outlier
), total AS (
  SELECT
    rule,
    rank,
    kind,
    any_value(steps) AS steps,
    any_value(period)::BIGINT AS period,
    sum(ns)::BIGINT AS ns,
    count(*) AS count,
    any_value(p50_ns) AS p50_ns,
    any_value(p99_ns) AS p99_ns,
    any_value(usual_gap_ns) AS usual_gap_ns,
    any_value(usual_run_ns) AS usual_run_ns,
    max(ns) AS longest_ns,
    avg(gap_ns)::BIGINT AS gap_ns,
    avg(run_ns)::BIGINT AS run_ns,
    sum(gap_ns - usual_gap_ns)::BIGINT AS more_gap_ns,
    sum(run_ns - usual_run_ns)::BIGINT AS more_run_ns,
    bool_or(tokens > usual_tokens) AS more_tokens,
    bool_or(inferred) AS inferred
  FROM told
  GROUP BY rule, rank, kind
), caused AS (
  SELECT
    t.rule,
    t.rank,
    t.kind,
    s.cause,
    sum(s.dur)::BIGINT AS ns,
    arg_max(
      {'device_id': s.device_id, 'step': s.step, 'ts': s.ts, 'dur': s.dur},
      (s.dur, -s.ts)
    ) AS longest,
    arg_max(
      coalesce(s.evidence_slice_id, s.next_slice_id), (s.dur, -s.ts), 3
    ) FILTER (coalesce(s.evidence_slice_id, s.next_slice_id) IS NOT NULL)
      AS shown
  FROM told AS t
  JOIN stall AS s ON s.rank = t.rank AND s.step = t.step
  WHERE s.cause <> 'no_work'
    AND (t.rule = 'slow_iterations' OR s.ts < t.device_ts)
  GROUP BY t.rule, t.rank, t.kind, s.cause
), main AS (
  SELECT
    rule,
    rank,
    kind,
    arg_max(cause, (ns, cause)) AS cause,
    max(ns) AS ns,
    arg_max(longest, (ns, cause)) AS longest,
    arg_max(shown, (ns, cause)) AS shown
  FROM caused
  GROUP BY rule, rank, kind
)
SELECT
  t.rule,
  CASE
    WHEN t.rule = 'iteration_gap' THEN NULL
    WHEN t.more_gap_ns > coalesce(t.more_run_ns, 0) THEN NULL
    WHEN t.more_tokens THEN 'tokens'
    ELSE 'run'
  END AS variant,
  t.rank,
  m.longest.device_id AS device_id,
  m.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  m.longest.ts AS ts,
  m.longest.dur AS dur,
  array_to_string(m.shown, ' ') AS evidence,
  t.inferred,
  NULL::VARCHAR AS missing,
  t.count,
  t.kind,
  t.p50_ns,
  t.p99_ns,
  t.longest_ns,
  t.usual_gap_ns,
  t.gap_ns,
  t.usual_run_ns,
  t.run_ns,
  m.cause,
  m.ns AS cause_ns
FROM total AS t
JOIN main AS m ON m.rule = t.rule AND m.rank = t.rank AND m.kind = t.kind
ORDER BY t.rank, t.rule, t.kind
