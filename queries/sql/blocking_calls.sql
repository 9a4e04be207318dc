-- title:   Calls that wait for the device
-- about:   Calls of the host that return when the device is done, by the idle
--          time of the device that they leave: from the end of the work that
--          was waited for to the next launch, since the thread could not run
--          ahead. Their own length (dur) is the time spent waiting, and no
--          saving. What no step pays for comes last and says why (excluded).
--          launches is what the thread launched since the wait before.
-- param:   rank INTEGER = NULL   only this rank
-- param:   step INTEGER = NULL   only this step
-- param:   limit BIGINT = NULL   so many rows
-- columns: rank INTEGER, step INTEGER, slice_id BIGINT, track_id BIGINT,
--          thread_name VARCHAR, name VARCHAR, ts BIGINT, dur BIGINT,
--          idle_ns BIGINT, idle_stretches BIGINT, period_share DOUBLE,
--          launches BIGINT, moves BOOLEAN, line_slice_id BIGINT,
--          line VARCHAR, excluded VARCHAR
-- needs:   host_sync, stall, slice, track, step
WITH held AS (
  SELECT
    evidence_slice_id,
    sum(dur)::BIGINT AS idle_ns,
    count(*) AS idle_stretches,
    arg_max(line_slice_id, dur) AS line_slice_id
  FROM stall
  WHERE cause = 'host_sync'
    AND ($rank IS NULL OR rank = $rank)
  GROUP BY evidence_slice_id
), shown AS (
  SELECT e.*, h.slice_id
  FROM held AS e
  JOIN host_sync AS h ON h.slice_id = e.evidence_slice_id
  UNION ALL
  -- The inner call of a wait shows it as well.
  SELECT e.*, i.parent_id
  FROM (
    SELECT *
    FROM held
    WHERE evidence_slice_id NOT IN (SELECT slice_id FROM host_sync)
  ) AS e
  JOIN slice AS i ON i.slice_id = e.evidence_slice_id
), evident AS (
  SELECT
    slice_id,
    sum(idle_ns)::BIGINT AS idle_ns,
    sum(idle_stretches)::BIGINT AS idle_stretches,
    arg_max(line_slice_id, idle_ns) AS line_slice_id
  FROM shown
  GROUP BY slice_id
), calls AS (
  SELECT
    h.*,
    s.step,
    s.track_id,
    s.name,
    s.ts,
    s.dur,
    e.line_slice_id,
    CASE WHEN h.excluded IS NULL THEN coalesce(e.idle_ns, 0) END AS idle_ns,
    CASE WHEN h.excluded IS NULL THEN coalesce(e.idle_stretches, 0) END
      AS idle_stretches
  FROM host_sync AS h
  JOIN slice AS s ON s.slice_id = h.slice_id
  LEFT JOIN evident AS e ON e.slice_id = h.slice_id
  WHERE ($rank IS NULL OR h.rank = $rank)
    AND ($step IS NULL OR s.step = $step)
  ORDER BY idle_ns DESC NULLS LAST, s.dur DESC, h.slice_id
  LIMIT $limit
)
SELECT
  c.rank,
  c.step,
  c.slice_id,
  c.track_id,
  t.thread_name,
  c.name,
  c.ts,
  c.dur,
  c.idle_ns,
  c.idle_stretches,
  c.idle_ns / nullif(p.dur, 0) AS period_share,
  c.launches,
  c.moves,
  c.line_slice_id,
  l.name AS line,
  c.excluded
FROM calls AS c
JOIN track AS t ON t.track_id = c.track_id
LEFT JOIN slice AS l ON l.slice_id = c.line_slice_id
LEFT JOIN step AS p ON p.rank = c.rank AND p.step = c.step
ORDER BY c.idle_ns DESC NULLS LAST, c.dur DESC, c.slice_id
