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
-- needs:   ledger, judged_step, step, kernel
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
), spent AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
    sum(l.dur) FILTER (l.state IN ('computing', 'mc2')) AS computing,
    sum(l.dur) FILTER (l.state = 'aicpu') AS aicpu,
    sum(l.dur) FILTER (l.state = 'idle') AS idle,
    sum(l.dur) FILTER (starts_with(l.state, 'waiting')) AS waiting
  FROM ledger AS l
  JOIN judged AS j ON j.rank = l.rank AND j.step = l.step
  GROUP BY l.rank, l.device_id
), run AS (
  SELECT
    k.rank,
    k.device_id,
    k.step,
    k.kernel_id,
    k.slice_id,
    k.ts,
    k.dur,
    coalesce(k.type, k.name) AS kind,
    CASE
      WHEN upper(k.core) = 'AI_CPU' THEN 'aicpu'
      WHEN regexp_matches(
        lower(coalesce(k.type, k.name)),
        '^(trans_?data|tensormove|transpose|cast|reshape|contiguous|'
          || 'viewcopy|asstrided|transdataspecial)'
      ) THEN 'layout'
    END AS family
  FROM kernel AS k
  JOIN judged AS j ON j.rank = k.rank AND j.step = k.step
  WHERE upper(k.core) IN ('COMMUNICATION', 'HCCL', 'HCCL_AI_CPU', 'CCU')
    IS NOT TRUE
), typed AS (
  SELECT
    f.family,
    r.rank,
    r.device_id,
    r.kind,
    count(*) AS count,
    sum(r.dur) AS total,
    arg_max(
      {'step': r.step, 'ts': r.ts, 'dur': r.dur, 'id': r.kernel_id},
      (r.dur, -r.kernel_id)
    ) AS longest,
    arg_max(r.slice_id, (r.dur, -r.kernel_id)) AS shown
  FROM run AS r
  JOIN (VALUES ('layout'), ('aicpu'), ('all')) AS f (family)
    ON f.family = r.family OR f.family = 'all'
  GROUP BY f.family, r.rank, r.device_id, r.kind
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
)
SELECT
  CASE t.family WHEN 'all' THEN 'little_computing' ELSE t.family END AS rule,
  NULL::VARCHAR AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  s.steps,
  -- Kernels of several streams run at once: they gain no more than there is.
  CASE t.family
    WHEN 'all' THEN coalesce(s.computing, 0)
    WHEN 'aicpu' THEN coalesce(s.aicpu, 0)
    ELSE least(t.total, coalesce(s.computing, 0))
  END::BIGINT AS ns,
  s.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  array_to_string(t.evidence, ' ') AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  t.count,
  t.names,
  coalesce(s.idle, 0) / s.period AS idle_share,
  coalesce(s.waiting, 0) / s.period AS waiting_share
FROM total AS t
JOIN spent AS s
  ON s.rank = t.rank AND s.device_id IS NOT DISTINCT FROM t.device_id
WHERE t.family <> 'all'
  OR s.computing < $most_share * s.period
ORDER BY t.rank, t.device_id, rule
