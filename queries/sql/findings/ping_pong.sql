-- title:   Copies there and back
-- about:   Copies of the judged steps to the host that a copy to the device
--          of the same size follows within most_apart. ns is the time of both
--          copies, at most what copies take alone. Where no copy names its
--          size and direction that cannot be told.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_dur BIGINT      copies from this length on, ns
-- param:   most_apart BIGINT     longest time between both, ns
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, bytes BIGINT, most_apart_ns BIGINT
-- needs:   judged_step, step, device_copy, ledger
WITH judged AS (
  SELECT
    rank,
    step,
    ts,
    dur,
    count(*) OVER (PARTITION BY rank) AS steps,
    sum(dur) OVER (PARTITION BY rank)::BIGINT AS period
  FROM judged_step
  WHERE ($rank IS NULL OR rank = $rank)
    AND CASE WHEN $step IS NULL THEN judged ELSE step = $step END
), told AS (
  SELECT
    c.*,
    CASE c.direction WHEN 'D2H' THEN 'out' WHEN 'H2D' THEN 'in' END AS way
  FROM device_copy AS c
  JOIN judged AS j ON j.rank = c.rank AND j.step = c.step
  WHERE c.dur >= $least_dur
), pair AS (
  SELECT
    o.rank,
    o.device_id,
    o.step,
    o.ts,
    i.ts + i.dur - o.ts AS dur,
    o.dur + i.dur AS ns,
    o.bytes,
    o.slice_id AS out_slice_id,
    i.slice_id AS in_slice_id
  FROM (FROM told WHERE way = 'out' AND bytes IS NOT NULL) AS o
  ASOF JOIN (FROM told WHERE way = 'in') AS i
    ON i.rank = o.rank
    AND i.device_id IS NOT DISTINCT FROM o.device_id
    AND i.bytes = o.bytes
    AND i.ts >= o.ts + o.dur
  WHERE i.ts - o.ts - o.dur <= $most_apart
), untold AS (
  SELECT rank, device_id
  FROM told
  GROUP BY rank, device_id
  HAVING count(*) FILTER (bytes IS NOT NULL AND way IS NOT NULL) = 0
), spent AS (
  SELECT
    l.rank, l.device_id, sum(l.dur)::BIGINT AS ns, any_value(j.steps) AS steps,
    any_value(j.period) AS period
  FROM ledger AS l
  JOIN judged AS j ON j.rank = l.rank AND j.step = l.step
  WHERE l.state = 'copying'
  GROUP BY l.rank, l.device_id
)
SELECT
  'ping_pong' AS rule,
  NULL::VARCHAR AS variant,
  p.rank,
  p.device_id,
  arg_max(p.step, (p.ns, -p.out_slice_id)) AS step,
  any_value(j.steps) AS steps,
  -- What other work hides gains nothing.
  least(sum(p.ns), any_value(s.ns))::BIGINT AS ns,
  any_value(j.period) AS period,
  arg_max(p.ts, (p.ns, -p.out_slice_id)) AS ts,
  arg_max(p.dur, (p.ns, -p.out_slice_id)) AS dur,
  arg_max(p.out_slice_id || ' ' || p.in_slice_id, (p.ns, -p.out_slice_id))
    AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  count(*) AS count,
  sum(p.bytes)::BIGINT AS bytes,
  $most_apart::BIGINT AS most_apart_ns
FROM pair AS p
JOIN judged AS j ON j.rank = p.rank AND j.step = p.step
JOIN spent AS s
  ON s.rank = p.rank AND s.device_id IS NOT DISTINCT FROM p.device_id
GROUP BY p.rank, p.device_id
UNION ALL
SELECT
  'ping_pong', 'untold', u.rank, u.device_id, NULL, s.steps, s.ns, s.period,
  NULL, NULL, NULL, FALSE, 'copies', 0, NULL, $most_apart::BIGINT
FROM untold AS u
JOIN spent AS s
  ON s.rank = u.rank AND s.device_id IS NOT DISTINCT FROM u.device_id
ORDER BY ALL
