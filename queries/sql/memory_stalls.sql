-- title:   Costly allocations
-- about:   Calls that get or free device memory while the device is idle for
--          it, by name: how much of the idle time they take. calls is how
--          often the host makes such a call at all; ts is the start of the
--          longest stall.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, device_id INTEGER, name VARCHAR, count BIGINT,
--          total BIGINT, per_step BIGINT, period_share DOUBLE,
--          longest BIGINT, ts BIGINT, step INTEGER, calls BIGINT,
--          calls_ns BIGINT, evidence_slice_id BIGINT
-- needs:   stall, step, slice
WITH wanted AS (
  SELECT rank, step, dur
  FROM step
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
), period AS (
  SELECT rank, count(*) AS steps, sum(dur) AS dur
  FROM wanted
  GROUP BY rank
), stalled AS (
  SELECT s.*
  FROM stall AS s
  WHERE s.cause = 'alloc'
    AND ($rank IS NULL OR s.rank = $rank)
    AND ($step IS NULL OR s.step = $step)
), evidence AS (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, name
  FROM slice
  WHERE slice_id IN (SELECT evidence_slice_id FROM stalled)
), named AS (
  SELECT s.*, e.name
  FROM stalled AS s
  LEFT JOIN evidence AS e ON e.slice_id = s.evidence_slice_id
), summed AS (
  SELECT
    rank,
    device_id,
    name,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    max(dur) AS longest,
    arg_max(stall_id, (dur, -stall_id)) AS stall_id
  FROM named
  GROUP BY rank, device_id, name
), called AS (
  SELECT rank, name, count(*) AS calls, try_cast(sum(dur) AS BIGINT) AS calls_ns
  FROM slice
  WHERE name IN (SELECT name FROM evidence)
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, name
)
SELECT
  m.rank,
  m.device_id,
  m.name,
  m.count,
  m.total,
  (m.total // nullif(p.steps, 0))::BIGINT AS per_step,
  m.total / nullif(p.dur, 0) AS period_share,
  m.longest,
  s.ts,
  s.step,
  c.calls,
  c.calls_ns,
  s.evidence_slice_id
FROM summed AS m
JOIN stalled AS s ON s.stall_id = m.stall_id
LEFT JOIN period AS p ON p.rank = m.rank
LEFT JOIN called AS c ON c.rank = m.rank AND c.name = m.name
ORDER BY m.total DESC, m.rank, m.device_id, m.name
LIMIT $limit
