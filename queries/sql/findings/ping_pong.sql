-- title:   Copies there and back
-- about:   Copies of the judged steps to the host that a copy to the device of
--          the same size follows within most_apart, as the question
--          ping_pong finds them. ns is the part of both that nothing hides.
--          Where no copy names its size that cannot be told; ns is then
--          what copies take alone.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_dur BIGINT      copies from this length on, ns
-- param:   most_apart BIGINT     longest time between both, ns
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, bytes BIGINT, most_apart_ns BIGINT
-- needs:   judged_step, step, device_copy, ledger
WITH counted AS (
  SELECT *, ts + dur AS end_ts
  FROM device_copy
  WHERE rank IN (SELECT rank FROM judged($rank, $step))
    AND (dur >= $least_dur OR operator_slice_id IS NOT NULL)
), followed AS (
  SELECT
    *,
    lead(direction) OVER w AS back,
    lead(slice_id) OVER w AS back_slice_id,
    lead(ts) OVER w AS back_ts,
    lead(dur) OVER w AS back_dur,
    lead(exposed_ns) OVER w AS back_exposed_ns
  FROM counted
  WHERE bytes > 0
    AND direction IN ('D2H', 'H2D')
  WINDOW w AS (PARTITION BY rank, device_id, bytes ORDER BY ts, slice_id)
), pair AS (
  SELECT
    f.rank,
    f.device_id,
    f.step,
    f.ts,
    f.back_ts + f.back_dur - f.ts AS dur,
    f.exposed_ns + f.back_exposed_ns AS ns,
    f.bytes,
    f.slice_id,
    f.back_slice_id,
    j.steps,
    j.period
  FROM followed AS f
  JOIN judged($rank, $step) AS j ON j.rank = f.rank AND j.step = f.step
  WHERE f.direction = 'D2H'
    AND f.back = 'H2D'
    AND f.back_ts - f.end_ts BETWEEN 0 AND $most_apart
), untold AS (
  SELECT c.rank, c.device_id
  FROM counted AS c
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
  GROUP BY c.rank, c.device_id
  HAVING count(c.bytes) = 0
), spent AS (
  SELECT
    l.rank,
    l.device_id,
    sum(l.dur)::BIGINT AS ns,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period
  FROM judged_ledger($rank, $step) AS l
  WHERE l.state = 'copying'
  GROUP BY l.rank, l.device_id
)
SELECT
  'ping_pong' AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  arg_max(step, (ns, -slice_id)) AS step,
  any_value(steps) AS steps,
  sum(ns)::BIGINT AS ns,
  any_value(period) AS period,
  arg_max(ts, (ns, -slice_id)) AS ts,
  arg_max(dur, (ns, -slice_id)) AS dur,
  arg_max(slice_id || ' ' || back_slice_id, (ns, -slice_id)) AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  count(*) AS count,
  sum(bytes)::BIGINT AS bytes,
  $most_apart::BIGINT AS most_apart_ns
FROM pair
GROUP BY rank, device_id
UNION ALL
SELECT
  'ping_pong', 'untold', u.rank, u.device_id, NULL, s.steps, s.ns, s.period,
  NULL, NULL, NULL, FALSE, 'copies', 0, NULL, $most_apart::BIGINT
FROM untold AS u
JOIN spent AS s
  ON s.rank = u.rank AND s.device_id IS NOT DISTINCT FROM u.device_id
ORDER BY ALL
