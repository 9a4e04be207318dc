-- title:   Collectives that nothing hides
-- about:   Time of the judged steps in which collectives run and nothing
--          computes, while data moves and in what is neither transfer nor
--          wait (exposed_collective), or as a whole where their plane tasks
--          were not collected (unsplit_collective). best_ns is the shortest
--          exposure among the collected ranks: what every one of them shares.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, bytes BIGINT, bytes_per_s BIGINT,
--          longest_name VARCHAR, longest_ns BIGINT, ranks BIGINT,
--          best_ns BIGINT
-- needs:   ledger, judged_step, step, collective
WITH run AS (
  SELECT
    c.rank,
    c.device_id,
    bool_or(c.transfer_ns IS NOT NULL) AS split,
    count(*) AS count,
    sum(c.bytes)::BIGINT AS bytes,
    sum(c.bytes) FILTER (c.transfer_ns > 0) AS moved_bytes,
    sum(c.transfer_ns) FILTER (c.bytes IS NOT NULL) AS moved_ns,
    arg_max(
      {'step': c.step, 'ts': c.ts, 'dur': c.dur, 'name': c.name,
        'own': coalesce(c.transfer_ns, c.dur)},
      (coalesce(c.transfer_ns, c.dur), -c.collective_id)
    ) AS longest,
    arg_max(c.slice_id, (coalesce(c.transfer_ns, c.dur), -c.collective_id), 5)
      FILTER (c.slice_id IS NOT NULL) AS evidence
  FROM collective AS c
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
  GROUP BY c.rank, c.device_id
), total AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period,
    sum(l.dur)::BIGINT AS ns
  FROM judged_ledger($rank, $step) AS l
  WHERE l.state IN ('transferring', 'collective_other')
  GROUP BY l.rank, l.device_id
)
SELECT
  CASE WHEN r.split THEN 'exposed_collective' ELSE 'unsplit_collective' END
    AS rule,
  CASE
    WHEN NOT r.split AND count(*) OVER alike > 1 THEN 'ranks'
  END AS variant,
  t.rank,
  t.device_id,
  r.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  r.longest.ts AS ts,
  r.longest.dur AS dur,
  array_to_string(r.evidence, ' ') AS evidence,
  FALSE AS inferred,
  CASE WHEN NOT r.split THEN 'planes' END AS missing,
  r.count,
  r.bytes,
  (r.moved_bytes * 1000000000 // nullif(r.moved_ns, 0))::BIGINT AS bytes_per_s,
  r.longest.name AS longest_name,
  r.longest.own AS longest_ns,
  count(*) OVER alike AS ranks,
  min(t.ns) OVER alike AS best_ns
FROM total AS t
JOIN run AS r
  ON r.rank = t.rank AND r.device_id IS NOT DISTINCT FROM t.device_id
WINDOW alike AS (PARTITION BY r.split)
ORDER BY t.rank, t.device_id, rule
