-- title:   Steps with many more calls
-- about:   Judged steps with least_times the calls of the median step or more,
--          of one type, that last longer than it: ns is how much. Named is the
--          type with the most additional calls.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_times DOUBLE   calls over those of the median step
-- param:   least_added BIGINT   additional calls from which a step counts
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          type VARCHAR, core VARCHAR, count BIGINT, median_count BIGINT,
--          step_count BIGINT, added_count BIGINT, kernels_ns BIGINT
-- needs:   judged_step, step, kernel, operator_total, operator_usual
WITH added AS (
  FROM step_calls($rank, $step, $least_added, NULL)
  WHERE type IS NOT NULL
    AND count >= $least_times * median_count
    AND added >= $least_added
    AND longer_ns > 0
), per_step AS (
  SELECT
    a.rank,
    a.step,
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
    any_value(j.ts) AS ts,
    any_value(j.dur) AS dur,
    any_value(a.longer_ns) AS longer_ns,
    sum(a.added)::BIGINT AS added,
    sum(greatest(0, a.added_ns))::BIGINT AS added_ns,
    arg_max(
      {'type': a.type, 'core': a.core, 'count': a.count,
        'median': a.median_count},
      (a.added, a.type)
    ) AS first
  FROM added AS a
  JOIN judged($rank, $step) AS j ON j.rank = a.rank AND j.step = a.step
  GROUP BY a.rank, a.step
), total AS (
  SELECT
    rank,
    any_value(steps) AS steps,
    any_value(period) AS period,
    sum(longer_ns)::BIGINT AS ns,
    count(*) AS hit,
    sum(added)::BIGINT AS added,
    sum(added_ns)::BIGINT AS added_ns,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'first': first}, (longer_ns, -step)
    ) AS longest
  FROM per_step
  GROUP BY rank
), shown AS (
  SELECT
    t.rank,
    k.device_id,
    arg_max(k.slice_id, by_length(k.dur, k.kernel_id), 5)
      FILTER (k.slice_id IS NOT NULL) AS evidence
  FROM total AS t
  JOIN kernel AS k
    ON k.rank = t.rank AND k.step = t.longest.step
    AND coalesce(k.type, k.name) = t.longest.first.type
  GROUP BY t.rank, k.device_id
  QUALIFY row_number() OVER (PARTITION BY t.rank ORDER BY k.device_id) = 1
)
SELECT
  'explosion' AS rule,
  NULL::VARCHAR AS variant,
  t.rank,
  s.device_id,
  t.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  array_to_string(s.evidence, ' ') AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  t.longest.first.type AS type,
  t.longest.first.core AS core,
  t.longest.first.count AS count,
  t.longest.first.median AS median_count,
  t.hit AS step_count,
  t.added AS added_count,
  t.added_ns AS kernels_ns
FROM total AS t
JOIN shown AS s ON s.rank = t.rank
ORDER BY t.rank
