-- title:   Steps that are not judged
-- about:   Steps that are warm-up by the evidence in the profile and are left
--          out where no step is named: how many, how long they take in all
--          (left_out_ns) and how much of that the device is idle while
--          operators are compiled, which ns is, of their own time. step is
--          the longest.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, left_out_ns BIGINT, compile_ns BIGINT,
--          evidence_name VARCHAR
-- needs:   judged_step, step, stall, slice
WITH judged AS (
  SELECT rank, count(*) AS steps, sum(dur)::BIGINT AS period
  FROM judged_step
  WHERE judged
  GROUP BY rank
), skipped AS (
  SELECT
    rank,
    count(*) AS count,
    sum(dur)::BIGINT AS dur,
    arg_max({'step': step, 'ts': ts, 'dur': dur}, by_length(dur, ts)) AS longest
  FROM judged_step
  WHERE NOT judged
    AND $step IS NULL
    AND ($rank IS NULL OR rank = $rank)
  GROUP BY rank
), compiled AS (
  SELECT
    s.rank,
    sum(s.dur)::BIGINT AS dur,
    arg_max(s.evidence_slice_id, by_length(s.dur, s.ts)) AS shown
  FROM stall AS s
  JOIN judged_step AS j ON j.rank = s.rank AND j.step = s.step
  WHERE s.cause = 'compile'
    AND NOT j.judged
  GROUP BY s.rank
)
SELECT
  'warm_up' AS rule,
  CASE WHEN c.dur > 0 THEN 'compiling' END AS variant,
  k.rank,
  NULL::INTEGER AS device_id,
  k.longest.step AS step,
  -- What compiling takes is of the steps that are left out.
  CASE WHEN c.dur > 0 THEN k.count ELSE j.steps END AS steps,
  coalesce(c.dur, 0) AS ns,
  CASE WHEN c.dur > 0 THEN k.dur ELSE j.period END AS period,
  k.longest.ts AS ts,
  k.longest.dur AS dur,
  c.shown::VARCHAR AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  k.count,
  k.dur AS left_out_ns,
  c.dur AS compile_ns,
  e.name AS evidence_name
FROM skipped AS k
JOIN judged AS j ON j.rank = k.rank
LEFT JOIN compiled AS c ON c.rank = k.rank
LEFT JOIN (
  SELECT slice_id, name
  FROM slice
  WHERE slice_id IN (SELECT shown FROM compiled)
) AS e ON e.slice_id = c.shown
ORDER BY k.rank
