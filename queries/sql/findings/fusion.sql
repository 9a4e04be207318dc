-- title:   Operators that one kernel could replace
-- about:   Of the runs of operators that a fused kernel could replace, in the
--          judged steps, those of attention (unfused_attention) and those of
--          the other pattern with most time (unfused). ns is their time and
--          what lies between their members, unless another stream computes
--          meanwhile, without the part in which the unit that computes was
--          busy, where that was measured. The counts say in how many of the
--          runs something may be in the way of fusing. least_ns and most_ns
--          are the range of what one kernel may save. Its upper end is not
--          known where the shapes of runs are not (unsized), or the bandwidth
--          of the chip (unpriced).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   most_gap BIGINT       ns between the members in all
-- param:   bytes_per_s BIGINT    of the device's memory, 0 is not known
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          name VARCHAR, fused VARCHAR, types VARCHAR, count BIGINT,
--          total_ns BIGINT, between_ns BIGINT, written_bytes BIGINT,
--          least_ns BIGINT, most_ns BIGINT, unsized BIGINT,
--          unpriced BIGINT, in_graph BIGINT, fp32 BIGINT,
--          unaligned BIGINT, beside BIGINT
-- needs:   kernel, kernel_shape, slice, fusion_step, fused_operator, spacing,
--          judged_step
WITH run AS (
  SELECT r.*, j.steps, j.period
  FROM fusion_runs($rank, $step, $bytes_per_s) AS r
  JOIN judged($rank, $step) AS j ON j.rank = r.rank AND j.step = r.step
  WHERE r.gap_ns <= $most_gap
), total AS (
  SELECT
    rank,
    device_id,
    pattern,
    any_value(fused) AS fused,
    any_value(steps) AS steps,
    any_value(period) AS period,
    count(*) AS count,
    sum(total) AS total,
    sum(gap_ns) AS gap,
    sum(
      total + CASE WHEN beside THEN 0 ELSE gap_ns END
        - coalesce(computed_ns, 0)
    ) AS ns,
    CASE WHEN count(bytes) = count(*) THEN try_cast(sum(bytes) AS BIGINT) END
      AS bytes,
    sum(least_ns) AS least_ns,
    CASE WHEN count(most_ns) = count(*) THEN sum(most_ns) END AS most_ns,
    count(*) - count(bytes) AS unsized,
    count(*) FILTER (bytes IS NOT NULL AND most_ns IS NULL) AS unpriced,
    count(*) FILTER (in_graph) AS in_graph,
    count(*) FILTER (fp32) AS fp32,
    count(*) FILTER (unaligned) AS unaligned,
    count(*) FILTER (beside) AS beside,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'types': types, 'ids': slice_ids},
      (dur, -kernel_id)
    ) AS longest
  FROM run
  GROUP BY rank, device_id, pattern
), first AS (
  SELECT *
  FROM total
  QUALIFY row_number() OVER (
    PARTITION BY rank, device_id, pattern = 'attention'
    ORDER BY ns DESC, pattern
  ) = 1
)
SELECT
  CASE pattern WHEN 'attention' THEN 'unfused_attention' ELSE 'unfused' END
    AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  longest.step AS step,
  steps,
  ns::BIGINT AS ns,
  period,
  longest.ts AS ts,
  longest.dur AS dur,
  array_to_string(longest.ids, ' ') AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  pattern AS name,
  fused,
  longest.types AS types,
  count,
  total::BIGINT AS total_ns,
  gap::BIGINT AS between_ns,
  bytes AS written_bytes,
  least_ns::BIGINT AS least_ns,
  most_ns::BIGINT AS most_ns,
  nullif(unsized, 0) AS unsized,
  nullif(unpriced, 0) AS unpriced,
  nullif(in_graph, 0) AS in_graph,
  nullif(fp32, 0) AS fp32,
  nullif(unaligned, 0) AS unaligned,
  nullif(beside, 0) AS beside
FROM first
ORDER BY rank, device_id, rule
