-- title:   Small collectives
-- about:   Collectives of the judged steps with a message smaller than
--          least_bytes whose data moved faster than the host can launch one:
--          less time than lies between two launches (launch_ns, the median).
--          ns is what they take while nothing computes, beside waiting for
--          peers; what compute hides is not counted.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_bytes BIGINT   size from which a message is not small
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, bytes BIGINT, least_bytes BIGINT,
--          transfer_ns BIGINT, launch_ns BIGINT, longest_name VARCHAR
-- needs:   ledger, judged_step, step, collective, launch_pace
WITH small AS (
  SELECT
    c.*,
    coalesce(
      c.exposed_ns - coalesce(c.exposed_wait_ns, 0),
      c.dur - coalesce(c.wait_ns, 0)
    ) AS own_ns,
    p.launch_ns,
    j.steps,
    j.period
  FROM collective AS c
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
  JOIN launch_pace AS p ON p.rank = c.rank
  WHERE c.bytes < $least_bytes
    AND c.transfer_ns < p.launch_ns
), exposed AS (
  SELECT l.rank, l.device_id, sum(l.dur) AS ns
  FROM judged_ledger($rank, $step) AS l
  WHERE l.state IN ('transferring', 'collective_other')
  GROUP BY l.rank, l.device_id
)
SELECT
  'small_packets' AS rule,
  NULL::VARCHAR AS variant,
  s.rank,
  s.device_id,
  arg_max(s.step, (s.own_ns, -s.collective_id)) AS step,
  any_value(s.steps) AS steps,
  -- What other work hides gains nothing.
  least(sum(s.own_ns), any_value(e.ns))::BIGINT AS ns,
  any_value(s.period) AS period,
  arg_max(s.ts, (s.own_ns, -s.collective_id)) AS ts,
  arg_max(s.dur, (s.own_ns, -s.collective_id)) AS dur,
  array_to_string(
    arg_max(s.slice_id, (s.own_ns, -s.collective_id), 5)
      FILTER (s.slice_id IS NOT NULL),
    ' '
  ) AS evidence,
  FALSE AS inferred,
  NULL::VARCHAR AS missing,
  count(*) AS count,
  sum(s.bytes)::BIGINT AS bytes,
  $least_bytes::BIGINT AS least_bytes,
  sum(s.transfer_ns)::BIGINT AS transfer_ns,
  any_value(s.launch_ns) AS launch_ns,
  arg_max(s.name, (s.own_ns, -s.collective_id)) AS longest_name
FROM small AS s
JOIN exposed AS e
  ON e.rank = s.rank AND e.device_id IS NOT DISTINCT FROM s.device_id
WHERE s.own_ns > 0
GROUP BY s.rank, s.device_id
ORDER BY s.rank, s.device_id
