-- title:   Kernels that wait for memory
-- about:   Kernels of least_dur or more in the judged steps that move data for
--          least_ratio of their time or more, and longer than they compute: ns
--          is all of their time, names are the types with most of it.
--          moved_share and computed_share are the busy shares of the units
--          that do so, weighted by time.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_dur BIGINT      ns from which a kernel counts
-- param:   least_ratio DOUBLE    busy share of what moves data from which too
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, names VARCHAR, moved_share DOUBLE,
--          computed_share DOUBLE
-- needs:   core_kernel, judged_step, step, ledger
WITH computing AS (
  SELECT rank, device_id, sum(dur) AS dur
  FROM judged_ledger($rank, $step)
  WHERE state IN ('computing', 'mc2')
  GROUP BY rank, device_id
), typed AS (
  SELECT
    k.rank,
    k.device_id,
    k.type,
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
    count(*) AS count,
    sum(k.dur) AS total,
    -- Sums of integers are the same in any order.
    sum((k.dur * k.moved)::BIGINT) AS moved,
    sum((k.dur * k.computed)::BIGINT) AS computed,
    arg_max(
      {'step': k.step, 'ts': k.ts, 'dur': k.dur, 'id': k.kernel_id},
      (k.dur, -k.kernel_id)
    ) AS longest,
    arg_max(k.slice_id, (k.dur, -k.kernel_id)) AS shown
  FROM core_kernel AS k
  JOIN judged($rank, $step) AS j ON j.rank = k.rank AND j.step = k.step
  WHERE k.moved > k.computed
    AND k.moved >= $least_ratio
    AND k.dur >= $least_dur
  GROUP BY k.rank, k.device_id, k.type
), total AS (
  SELECT
    rank,
    device_id,
    any_value(steps) AS steps,
    any_value(period) AS period,
    sum(count)::BIGINT AS count,
    sum(total) AS total,
    sum(moved) / sum(total) AS moved_share,
    sum(computed) / sum(total) AS computed_share,
    arg_max(longest, (longest.dur, -longest.id)) AS longest,
    arg_max(shown, (total, -shown), 5) FILTER (shown IS NOT NULL) AS evidence,
    array_to_string(arg_max(type, (total, type), 3), ', ') AS names
  FROM typed
  GROUP BY rank, device_id
)
SELECT
  'memory_bound' AS rule,
  NULL::VARCHAR AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  t.steps,
  -- Kernels of several streams run at once: they gain no more than there is.
  least(t.total, coalesce(c.dur, t.total))::BIGINT AS ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  array_to_string(t.evidence, ' ') AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  t.count,
  t.names,
  t.moved_share,
  t.computed_share
FROM total AS t
LEFT JOIN computing AS c
  ON c.rank = t.rank AND c.device_id IS NOT DISTINCT FROM t.device_id
ORDER BY t.rank, t.device_id
