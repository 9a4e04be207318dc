-- title:   The operator with the most time
-- about:   The operator type that takes the most time of the judged steps,
--          collectives left out, and how far it is from the bound that its
--          busiest unit sets: ns is the time in which that unit was not busy,
--          or all of it where the units were not measured. busiest_share is
--          of the calls' time.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          name VARCHAR, type VARCHAR, core VARCHAR, count BIGINT,
--          total_ns BIGINT, kernel_share DOUBLE, busiest VARCHAR,
--          busiest_share DOUBLE
-- needs:   judged_step, step, kernel, operator_total
WITH time_of AS (
  SELECT o.rank, coalesce(o.type, o.name) AS kind, sum(o.total) AS total
  FROM operator_total AS o
  JOIN judged($rank, $step) AS j ON j.rank = o.rank AND j.step = o.step
  WHERE NOT communicates(o.core)
  GROUP BY o.rank, coalesce(o.type, o.name)
), first AS (
  SELECT
    rank,
    kind,
    total / nullif(sum(total) OVER (PARTITION BY rank), 0) AS kernel_share
  FROM time_of
  QUALIFY row_number() OVER (PARTITION BY rank ORDER BY total DESC, kind) = 1
), run AS (
  SELECT
    k.*,
    f.kind,
    f.kernel_share,
    j.steps,
    j.period,
    list_max([
      k.aic_mac_ratio, k.aic_mte1_ratio, k.aic_mte2_ratio,
      k.aic_fixpipe_ratio, k.aic_scalar_ratio, k.aiv_vec_ratio,
      k.aiv_mte2_ratio, k.aiv_mte3_ratio, k.aiv_scalar_ratio
    ]) AS busy
  FROM kernel AS k
  JOIN first AS f ON f.rank = k.rank AND f.kind = coalesce(k.type, k.name)
  JOIN judged($rank, $step) AS j ON j.rank = k.rank AND j.step = k.step
  WHERE NOT communicates(k.core)
), total AS (
  SELECT
    rank,
    device_id,
    kind,
    any_value(steps) AS steps,
    any_value(period) AS period,
    any_value(kernel_share) AS kernel_share,
    count(*) AS count,
    sum(dur) AS total,
    sum((dur * (1 - least(busy, 1)))::BIGINT) FILTER (busy IS NOT NULL)
      AS unused,
    sum(dur) FILTER (busy IS NULL) AS unmeasured,
    sum(dur * least(busy, 1)) / nullif(sum(dur) FILTER (busy IS NOT NULL), 0)
      AS busiest_share,
    arg_max(
      [
        'mac', 'mte1', 'mte2', 'fixpipe', 'scalar', 'vec', 'mte2', 'mte3',
        'scalar'
      ][
        list_position(
          [
            aic_mac_ratio, aic_mte1_ratio, aic_mte2_ratio, aic_fixpipe_ratio,
            aic_scalar_ratio, aiv_vec_ratio, aiv_mte2_ratio, aiv_mte3_ratio,
            aiv_scalar_ratio
          ],
          busy
        )
      ],
      by_length(dur, kernel_id)
    ) FILTER (busy IS NOT NULL) AS busiest,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'name': name, 'core': core},
      by_length(dur, kernel_id)
    ) AS longest,
    arg_max(slice_id, by_length(dur, kernel_id), 5)
      FILTER (slice_id IS NOT NULL) AS evidence
  FROM run
  GROUP BY rank, device_id, kind
)
SELECT
  'operator' AS rule,
  CASE WHEN unused IS NULL THEN 'unmeasured' END AS variant,
  rank,
  device_id,
  longest.step AS step,
  steps,
  (coalesce(unused, 0) + coalesce(unmeasured, 0))::BIGINT AS ns,
  period,
  longest.ts AS ts,
  longest.dur AS dur,
  array_to_string(evidence, ' ') AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  longest.name AS name,
  kind AS type,
  longest.core AS core,
  count,
  total::BIGINT AS total_ns,
  kernel_share,
  busiest,
  busiest_share
FROM total
ORDER BY rank, device_id
