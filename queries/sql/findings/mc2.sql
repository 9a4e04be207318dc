-- title:   Kernels with communication inside
-- about:   Time of the judged steps in which kernels run that compute and
--          communicate at once (MC2, dispatch and combine of experts). A wait
--          for a peer is inside and looks like computing. over_ns is what
--          their calls take beyond the shortest of the same name and shapes on
--          any rank: the most that can be such a wait, NULL where no two calls
--          are alike. best_ns is the least that a rank has of this time.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, names VARCHAR, longest_name VARCHAR,
--          longest_ns BIGINT, over_ns BIGINT, ranks BIGINT, best_ns BIGINT,
--          best_rank INTEGER
-- needs:   ledger, judged_step, step, kernel, slice
WITH spent AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period,
    sum(l.dur)::BIGINT AS ns
  FROM judged_ledger(NULL, $step) AS l
  WHERE l.state = 'mc2'
  GROUP BY l.rank, l.device_id
), fused AS (
  SELECT slice_id
  FROM slice
  WHERE class = 'mc2' AND EXISTS (FROM spent)
), call AS (
  SELECT
    k.rank,
    k.device_id,
    k.slice_id,
    k.step,
    k.ts,
    k.dur,
    coalesce(k.type, k.name) AS kind,
    min(k.dur) OVER alike AS least,
    count(*) OVER alike AS calls
  FROM kernel AS k
  JOIN judged(NULL, $step) AS j ON j.rank = k.rank AND j.step = k.step
  WHERE k.slice_id IN (FROM fused)
  WINDOW alike AS (PARTITION BY coalesce(k.type, k.name), k.input_shapes)
), total AS (
  SELECT
    rank,
    device_id,
    count(*) AS count,
    array_to_string(list_sort(list(DISTINCT kind))[:3], ', ') AS names,
    sum(dur - least) FILTER (calls > 1)::BIGINT AS over_ns,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'kind': kind}, (dur, -slice_id)
    ) AS longest,
    arg_max(slice_id, (dur, -slice_id), 5) AS evidence
  FROM call
  GROUP BY rank, device_id
), told AS (
  SELECT
    t.*,
    s.steps,
    s.ns,
    s.period,
    count(*) OVER () AS ranks,
    min(s.ns) OVER () AS best_ns,
    arg_min(t.rank, (s.ns, t.rank)) OVER () AS best_rank
  FROM total AS t
  JOIN spent AS s
    ON s.rank = t.rank AND s.device_id IS NOT DISTINCT FROM t.device_id
)
SELECT
  'mc2' AS rule,
  CASE WHEN ranks > 1 THEN 'compared' END AS variant,
  rank,
  device_id,
  longest.step AS step,
  steps,
  ns,
  period,
  longest.ts AS ts,
  longest.dur AS dur,
  array_to_string(evidence, ' ') AS evidence,
  FALSE AS inferred,
  CASE WHEN ranks = 1 THEN 'ranks' END AS missing,
  count,
  names,
  longest.kind AS longest_name,
  longest.dur AS longest_ns,
  over_ns,
  ranks,
  best_ns,
  best_rank
FROM told
WHERE ($rank IS NULL OR rank = $rank)
ORDER BY rank, device_id
