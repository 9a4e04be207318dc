-- title:   Uneven all-to-all
-- about:   What the judged steps wait in all-to-all collectives of given sizes
--          (alltoallv, as experts use them), where in a mean step the peer
--          with most bytes has least_ratio times the mean of the peers of its
--          group or more: unequal load, and not necessarily a slow host.
--          times_last is how often that peer came last to one of them.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_ratio DOUBLE   bytes of the first peer over their mean
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          peer VARCHAR, most_bytes BIGINT, mean_bytes BIGINT, peers BIGINT,
--          load_ratio DOUBLE, times_last BIGINT, collectives BIGINT
-- needs:   judged_step, step, collective, link
WITH sent AS (
  SELECT
    l.rank, l.device_id, l."group", l.step, l.number,
    any_value(l.peer) AS peer,
    sum(l.bytes) AS bytes
  FROM link AS l
  JOIN judged($rank, $step) AS j ON j.rank = l.rank AND j.step = l.step
  WHERE contains(lower(l.operation), 'alltoallv')
    AND l.number IS NOT NULL
    AND l.link IS DISTINCT FROM 'ON_CHIP'
  GROUP BY ALL
), size AS (
  -- A peer to which a step sends nothing counts too.
  SELECT rank, device_id, "group", count(DISTINCT number) AS peers
  FROM sent
  GROUP BY rank, device_id, "group"
), loads AS (
  SELECT
    s.rank, s.device_id, s."group", s.step,
    any_value(z.peers) AS peers,
    max(s.bytes) AS most,
    sum(s.bytes) / any_value(z.peers) AS mean,
    arg_max({'number': s.number, 'peer': s.peer}, (s.bytes, -s.number)) AS first
  FROM sent AS s
  JOIN size AS z USING (rank, device_id, "group")
  GROUP BY s.rank, s.device_id, s."group", s.step
), uneven AS (
  SELECT
    rank, device_id, "group",
    any_value(peers) AS peers,
    avg(most / nullif(mean, 0)) AS ratio,
    arg_max(
      {'most': most, 'mean': mean, 'number': first.number, 'peer': first.peer},
      (most / nullif(mean, 0), -step)
    ) AS worst
  FROM loads
  GROUP BY rank, device_id, "group"
  HAVING any_value(peers) > 1 AND avg(most / nullif(mean, 0)) >= $least_ratio
), waited AS (
  SELECT
    c.rank, c.device_id, c."group",
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
    sum(coalesce(c.exposed_wait_ns, c.wait_ns))::BIGINT AS ns,
    count(*) AS collectives,
    count(*) FILTER (c.last_number = f.first.number) AS times_last,
    arg_max(
      {'step': c.step, 'ts': c.ts, 'dur': c.dur}, (c.wait_ns, -c.collective_id)
    ) AS longest,
    arg_max(c.slice_id, (c.wait_ns, -c.collective_id), 5)
      FILTER (c.slice_id IS NOT NULL) AS evidence
  FROM collective AS c
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
  LEFT JOIN loads AS f
    ON f.rank = c.rank AND f.step = c.step AND f."group" = c."group"
    AND f.device_id IS NOT DISTINCT FROM c.device_id
  WHERE contains(lower(c.name), 'alltoallv')
  GROUP BY c.rank, c.device_id, c."group"
), told AS (
  SELECT w.*, u.peers, u.ratio, u.worst
  FROM uneven AS u
  JOIN waited AS w
    ON w.rank = u.rank AND w."group" = u."group"
    AND w.device_id IS NOT DISTINCT FROM u.device_id
  QUALIFY row_number() OVER (
    PARTITION BY w.rank, w.device_id ORDER BY w.ns DESC, w."group"
  ) = 1
)
SELECT
  'expert_load' AS rule,
  NULL::VARCHAR AS variant,
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
  NULL::VARCHAR AS missing,
  CASE
    WHEN worst.peer IS NULL THEN 'peer ' || worst.number
    ELSE 'rank ' || worst.peer
  END AS peer,
  worst.most::BIGINT AS most_bytes,
  worst.mean::BIGINT AS mean_bytes,
  peers,
  ratio AS load_ratio,
  times_last,
  collectives
FROM told
ORDER BY rank, device_id
