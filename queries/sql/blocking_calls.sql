-- title:   Calls that wait for the device
-- about:   Calls of the host that return when the device is done, by the idle
--          time of the device that they leave: from the end of the work that was
--          waited for to the next launch, since the thread could not run ahead.
--          Their own length (dur) is the time spent waiting, and no saving. What
--          no step pays for comes last and says why (excluded). launches is what
--          the thread launched since the wait before.
-- param:   rank INTEGER = NULL   only this rank
-- param:   step INTEGER = NULL   only this step
-- param:   limit BIGINT = NULL   so many rows
-- columns: rank INTEGER, step INTEGER, slice_id BIGINT, track_id BIGINT,
--          thread_name VARCHAR, name VARCHAR, ts BIGINT, dur BIGINT,
--          idle_ns BIGINT, idle_stretches BIGINT, period_share DOUBLE,
--          launches BIGINT, moves BOOLEAN, line_slice_id BIGINT,
--          line VARCHAR, excluded VARCHAR
-- needs:   host_sync, stall, slice, track, step
WITH evident AS (
  SELECT
    -- The inner call of a wait shows it as well.
    coalesce(h.slice_id, o.slice_id) AS slice_id,
    sum(t.dur)::BIGINT AS idle_ns,
    count(*) AS idle_stretches,
    arg_max(t.line_slice_id, t.dur) AS line_slice_id
  FROM stall AS t
  JOIN slice AS e ON e.slice_id = t.evidence_slice_id
  LEFT JOIN host_sync AS h ON h.slice_id = e.slice_id
  LEFT JOIN host_sync AS o ON o.slice_id = e.parent_id
  WHERE t.cause = 'host_sync'
    AND ($rank IS NULL OR t.rank = $rank)
  GROUP BY 1
)
SELECT
  h.rank,
  s.step,
  h.slice_id,
  s.track_id,
  t.thread_name,
  s.name,
  s.ts,
  s.dur,
  CASE WHEN h.excluded IS NULL THEN coalesce(e.idle_ns, 0) END AS idle_ns,
  CASE WHEN h.excluded IS NULL THEN coalesce(e.idle_stretches, 0) END
    AS idle_stretches,
  CASE WHEN h.excluded IS NULL THEN
    coalesce(e.idle_ns, 0) / nullif(p.dur, 0)
  END AS period_share,
  h.launches,
  h.moves,
  e.line_slice_id,
  l.name AS line,
  h.excluded
FROM host_sync AS h
JOIN slice AS s ON s.slice_id = h.slice_id
JOIN track AS t ON t.track_id = s.track_id
LEFT JOIN evident AS e ON e.slice_id = h.slice_id
LEFT JOIN slice AS l ON l.slice_id = e.line_slice_id
LEFT JOIN step AS p ON p.rank = h.rank AND p.step = s.step
WHERE ($rank IS NULL OR h.rank = $rank)
  AND ($step IS NULL OR s.step = $step)
ORDER BY idle_ns DESC NULLS LAST, s.dur DESC, h.slice_id
LIMIT $limit
