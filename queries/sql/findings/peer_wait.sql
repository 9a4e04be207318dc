-- title:   Waiting for peers
-- about:   Time of the judged steps in which collectives are open, nothing
--          else runs and only peers are missing, by who is: one rank alone,
--          or several. bound_ns is what the judged steps would still last at
--          least, which is the rest of their periods, or the time that the
--          host needs to launch and the device to finish what was launched
--          last.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          peer INTEGER, collectives BIGINT, times_last BIGINT,
--          longest_name VARCHAR, longest_ns BIGINT, bound_ns BIGINT
-- needs:   stall, judged_step, step, slice, collective, arrival,
--          last_launch, profile
WITH piece AS (
  SELECT
    s.*,
    CASE
      WHEN s.cause LIKE 'rank %' THEN 'rank'
      WHEN s.cause LIKE 'peer %' THEN 'peer'
      WHEN s.cause = 'several ranks' THEN 'several'
      ELSE 'unknown'
    END AS kind
  FROM judged_stalls($rank, $step) AS s
  WHERE s.state = 'waiting_peer'
), total AS (
  SELECT
    kind,
    peer,
    rank,
    device_id,
    any_value(steps) AS steps,
    any_value(period) AS period,
    sum(dur)::BIGINT AS ns,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'shown': evidence_slice_id},
      by_length(dur, ts)
    ) AS longest,
    arg_max(evidence_slice_id, by_length(dur, ts), 5)
      FILTER (evidence_slice_id IS NOT NULL)
      AS evidence,
    bool_or(inferred) AS inferred
  FROM piece
  GROUP BY kind, peer, rank, device_id
), seen AS (
  SELECT
    c.rank,
    c.device_id,
    p.peer,
    bool_and(p.collected) AS collected,
    count(*) AS collectives,
    count(*) FILTER (p.number = c.last_number) AS times_last
  FROM arrival AS p
  JOIN collective AS c ON c.collective_id = p.collective_id
  JOIN judged($rank, $step) AS j ON j.rank = c.rank AND j.step = c.step
  GROUP BY c.rank, c.device_id, p.peer
), blocking AS (
  SELECT s.rank, s.step, s.ts, s.end_ts
  FROM slice AS s
  JOIN judged($rank, $step) AS j ON j.rank = s.rank AND j.step = s.step
  JOIN last_launch AS l
    ON l.rank = s.rank AND l.step = s.step AND s.end_ts <= l.launch_end
  -- Shorter ones change nothing, and they are nearly all slices.
  WHERE s.dur >= (
    SELECT min(period // steps // 1000) FROM judged($rank, $step)
  )
    AND s.class = 'host'
    AND s.rank IN (SELECT rank FROM total)
    AND contains(s.name, 'aclrtSynchronize')
), waited AS (
  SELECT
    *,
    sum(dur) OVER (
      PARTITION BY rank, device_id ORDER BY ts ROWS UNBOUNDED PRECEDING
    ) - dur AS before
  FROM piece
), held AS (
  -- How long had been waited by the beginning and by the end of each call.
  SELECT
    e.rank,
    e.step,
    w.device_id,
    e.sign * (w.before + least(w.dur, e.ts - w.ts)) AS dur
  FROM (
    SELECT rank, step, ts, -1 AS sign FROM blocking
    UNION ALL
    SELECT rank, step, end_ts, 1 FROM blocking
  ) AS e
  JOIN (SELECT DISTINCT rank, device_id FROM total) AS d ON d.rank = e.rank
  ASOF JOIN waited AS w
    ON w.rank = d.rank
    AND coalesce(w.device_id, -1) = coalesce(d.device_id, -1)
    AND w.ts <= e.ts
), excused AS (
  -- Had the peer come in time, the host would not have been held there.
  SELECT rank, step, device_id, sum(dur) AS dur
  FROM held
  GROUP BY rank, step, device_id
), needed AS (
  -- What every step needs if nobody is waited for.
  SELECT
    j.rank,
    d.device_id,
    sum(
      greatest(
        0,
        l.launch_end - j.ts - coalesce(e.dur, 0) + l.dur
          + greatest(0, j.ts + j.dur - t.device_ts - t.device_dur)
      )
    )::BIGINT AS floor_ns
  FROM judged($rank, $step) AS j
  JOIN step AS t ON t.rank = j.rank AND t.step = j.step
  JOIN (SELECT DISTINCT rank, device_id FROM total) AS d ON d.rank = j.rank
  JOIN last_launch AS l ON l.rank = j.rank AND l.step = j.step
  LEFT JOIN excused AS e
    ON e.rank = j.rank
    AND e.step = j.step
    AND e.device_id IS NOT DISTINCT FROM d.device_id
  GROUP BY j.rank, d.device_id
)
SELECT
  'peer_wait' AS rule,
  CASE
    WHEN t.kind <> 'rank' THEN t.kind
    WHEN coalesce(a.collected, t.peer IN (SELECT rank FROM all_rank))
      THEN 'here'
    ELSE 'absent'
  END AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  t.steps,
  t.ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  array_to_string(t.evidence, ' ') AS evidence,
  t.inferred,
  NULL::VARCHAR AS missing,
  t.peer,
  a.collectives,
  a.times_last,
  c.name AS longest_name,
  t.longest.dur AS longest_ns,
  (
    least(t.period, greatest(t.period - t.ns, coalesce(n.floor_ns, 0)))
      // t.steps
  )::BIGINT AS bound_ns
FROM total AS t
LEFT JOIN seen AS a
  ON a.rank = t.rank
  AND a.device_id IS NOT DISTINCT FROM t.device_id
  AND a.peer = t.peer
LEFT JOIN needed AS n
  ON n.rank = t.rank AND n.device_id IS NOT DISTINCT FROM t.device_id
ASOF LEFT JOIN collective AS c
  ON c.rank = t.rank
  AND coalesce(c.device_id, -1) = coalesce(t.device_id, -1)
  AND c.ts <= t.longest.ts
ORDER BY t.rank, t.device_id, t.kind, t.peer
