-- title:   Slow links
-- about:   The link of each rank that loses most time to being slower than
--          links of its kind: those of the same transport, task and size of
--          message, of all ranks here, whose median is the measure. Messages
--          below least_bytes take the time of a launch, not of the link.
--          ns is what it takes longer than at the median, at most what
--          collectives move while nothing computes. Kinds with fewer than
--          least_links links have no median: cannot be told.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   most_ratio DOUBLE    share of the median that is slow
-- param:   least_bytes BIGINT   size of a message from which it counts
-- param:   least_links BIGINT   links that a median needs
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          peer VARCHAR, link VARCHAR, task VARCHAR, bytes BIGINT,
--          bytes_per_s BIGINT, median_bytes_per_s BIGINT, links BIGINT,
--          slow_links BIGINT, lost_ns BIGINT, exposed_ns BIGINT
-- needs:   ledger, judged_step, step, collective, link
WITH used AS (
  SELECT
    l.rank, l.device_id, l."group", l.number, l.task, l.transport, l.link,
    l.from_bytes,
    any_value(l.peer) AS peer,
    sum(l.bytes) AS bytes,
    sum(l.total) AS total,
    sum(l.bytes) * 1e9 / nullif(sum(l.total), 0) AS rate,
    max(l.max_bytes_per_s) AS best
  FROM link AS l
  JOIN judged(NULL, $step) AS j ON j.rank = l.rank AND j.step = l.step
  WHERE l.number IS NOT NULL
    AND l.link IS DISTINCT FROM 'ON_CHIP'
    AND l.from_bytes >= $least_bytes
  GROUP BY ALL
), measured AS (
  SELECT
    *,
    median(rate) OVER alike AS usual,
    count(rate) OVER alike AS links
  FROM used
  WINDOW alike AS (PARTITION BY task, transport, link, from_bytes)
), slow AS (
  SELECT
    rank, device_id, "group", number, transport, link,
    any_value(peer) AS peer,
    arg_max(task, (total, task)) AS task,
    sum(bytes)::BIGINT AS bytes,
    (sum(bytes) * 1e9 / sum(total))::BIGINT AS rate,
    (sum(bytes) * 1e9 / sum(bytes * 1e9 / usual))::BIGINT AS usual,
    bool_or(best >= usual) AS sometimes,
    max(links) AS links,
    sum(total - bytes * 1e9 / usual)::BIGINT AS lost_ns
  FROM measured
  WHERE links >= $least_links
    AND rate < $most_ratio * usual
  GROUP BY rank, device_id, "group", number, transport, link
), worst AS (
  SELECT
    *,
    count(*) OVER (PARTITION BY rank, device_id) AS slow_links
  FROM slow
  QUALIFY row_number() OVER (
    PARTITION BY rank, device_id ORDER BY lost_ns DESC, "group", number
  ) = 1
), few AS (
  SELECT
    rank,
    device_id,
    NULL::VARCHAR AS "group",
    max(links) AS links,
    sum(bytes)::BIGINT AS bytes,
    (sum(bytes) * 1e9 / nullif(sum(total), 0))::BIGINT AS rate,
    arg_max(coalesce(link, transport), (total, number)) AS link
  FROM measured
  GROUP BY rank, device_id
  HAVING max(links) < $least_links
), told AS (
  SELECT
    rank, device_id, "group", coalesce(peer, number) AS peer, peer IS NULL
      AS numbered, coalesce(link, transport) AS link, task, bytes, rate, usual,
    links, slow_links, lost_ns, sometimes, FALSE AS few
  FROM worst
  UNION ALL
  SELECT
    rank, device_id, "group", NULL, NULL, link, NULL, bytes, rate, NULL,
    links, 0, NULL, NULL, TRUE
  FROM few
), exposed AS (
  SELECT
    l.rank,
    l.device_id,
    any_value(l.steps) AS steps,
    any_value(l.period) AS period,
    sum(l.dur)::BIGINT AS ns
  FROM judged_ledger(NULL, $step) AS l
  WHERE l.state = 'transferring'
  GROUP BY l.rank, l.device_id
), shown AS (
  SELECT
    t.rank,
    t.device_id,
    arg_max(
      {'step': c.step, 'ts': c.ts, 'dur': c.dur},
      (c.transfer_ns, -c.collective_id)
    ) AS longest,
    arg_max(c.slice_id, (c.transfer_ns, -c.collective_id), 5)
      FILTER (c.slice_id IS NOT NULL) AS evidence
  FROM told AS t
  JOIN collective AS c
    ON c.rank = t.rank
    AND c.device_id IS NOT DISTINCT FROM t.device_id
    AND (t."group" IS NULL OR c."group" = t."group")
  JOIN judged(NULL, $step) AS j ON j.rank = c.rank AND j.step = c.step
  GROUP BY t.rank, t.device_id
)
SELECT
  'slow_link' AS rule,
  CASE WHEN t.few THEN 'few' WHEN t.sometimes THEN 'sometimes' END AS variant,
  t.rank,
  t.device_id,
  s.longest.step AS step,
  e.steps,
  least(coalesce(t.lost_ns, e.ns), e.ns) AS ns,
  e.period,
  s.longest.ts AS ts,
  s.longest.dur AS dur,
  array_to_string(s.evidence, ' ') AS evidence,
  FALSE AS inferred,
  CASE WHEN t.few THEN 'ranks' END AS missing,
  CASE WHEN t.numbered THEN 'peer ' ELSE 'rank ' END || t.peer AS peer,
  t.link,
  t.task,
  t.bytes,
  t.rate AS bytes_per_s,
  t.usual AS median_bytes_per_s,
  t.links,
  t.slow_links,
  t.lost_ns,
  e.ns AS exposed_ns
FROM told AS t
JOIN exposed AS e
  ON e.rank = t.rank AND e.device_id IS NOT DISTINCT FROM t.device_id
LEFT JOIN shown AS s
  ON s.rank = t.rank AND s.device_id IS NOT DISTINCT FROM t.device_id
WHERE ($rank IS NULL OR t.rank = $rank)
ORDER BY t.rank, t.device_id
