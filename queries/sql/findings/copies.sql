-- title:   Copies that nothing hides
-- about:   Time of the judged steps in which copies outside collectives run
--          and nothing else does. The copies that it counts and names are the
--          judged steps' own from least_dur on: shorter ones are the
--          runtime's.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_dur BIGINT      copies from this length on, ns
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, longest_name VARCHAR, longest_ns BIGINT,
--          direction VARCHAR, waits BIGINT, depth INTEGER
-- needs:   ledger, judged_step, step, device_copy, event_wait
WITH total AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period,
    sum(l.dur)::BIGINT AS ns
  FROM judged_ledger($rank, $step) AS l
  WHERE l.state = 'copying'
  GROUP BY l.rank, l.device_id
), copied AS (
  SELECT
    c.rank,
    c.device_id,
    count(*) FILTER (c.dur >= $least_dur) AS count,
    arg_max(
      {'step': c.step, 'ts': c.ts, 'dur': c.dur, 'name': c.name,
        'direction': c.direction, 'id': c.slice_id},
      by_length(c.dur, c.slice_id)
    ) AS longest,
    arg_max(c.slice_id, by_length(c.dur, c.slice_id), 5) AS evidence
  FROM device_copy AS c
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
  GROUP BY c.rank, c.device_id
)
SELECT
  'exposed_copy' AS rule,
  NULL::VARCHAR AS variant,
  t.rank,
  t.device_id,
  c.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  c.longest.ts AS ts,
  c.longest.dur AS dur,
  array_to_string(c.evidence, ' ') AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  c.count,
  c.longest.name AS longest_name,
  c.longest.dur AS longest_ns,
  c.longest.direction AS direction,
  w.waits,
  w.depth
FROM total AS t
JOIN copied AS c
  ON c.rank = t.rank AND c.device_id IS NOT DISTINCT FROM t.device_id
LEFT JOIN (
  -- Streams that wait for it, some by way of others.
  SELECT root_slice_id, count(*) AS waits, max(depth) AS depth
  FROM event_wait
  GROUP BY root_slice_id
) AS w ON w.root_slice_id = c.longest.id
ORDER BY t.rank, t.device_id
