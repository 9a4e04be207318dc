-- title:   Overlaps on streams
-- about:   Kernels that still run when the next kernel of their stream begins,
--          those that run longest beside it first (beside_ns). A stream runs
--          one after another: such a length may not be true.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: slice_id BIGINT, rank INTEGER, device_id INTEGER,
--          stream_id BIGINT, step INTEGER, name VARCHAR, ts BIGINT,
--          dur BIGINT, beside_ns BIGINT, next_slice_id BIGINT,
--          next_name VARCHAR
-- needs:   slice, track
WITH beside AS MATERIALIZED (
  -- What begins while another task of its lane runs is nested or beside it.
  SELECT DISTINCT s.track_id
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind = 'stream'
    AND t.stream_id IS NOT NULL
    AND s.class IN ('compute', 'mc2')
    AND (s.depth > 0 OR s.sublane > 0)
    AND ($rank IS NULL OR s.rank = $rank)
), task AS (
  SELECT
    s.slice_id,
    s.step,
    s.ts,
    s.end_ts,
    lead(s.ts) OVER w AS next_ts,
    lead(s.slice_id) OVER w AS next_slice_id
  FROM slice AS s
  JOIN beside AS b ON b.track_id = s.track_id
  WHERE s.class IN ('compute', 'mc2')
  WINDOW w AS (PARTITION BY s.track_id ORDER BY s.slice_id)
), picked AS (
  SELECT slice_id, next_slice_id, end_ts - next_ts AS beside_ns
  FROM task
  WHERE end_ts > next_ts
    AND ($step IS NULL OR step = $step)
  ORDER BY beside_ns DESC, slice_id
  LIMIT $limit
), named AS MATERIALIZED (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, track_id, rank, step, name, ts, dur
  FROM slice
  WHERE slice_id IN (SELECT unnest([slice_id, next_slice_id]) FROM picked)
)
SELECT
  s.slice_id,
  s.rank,
  t.device_id,
  t.stream_id,
  s.step,
  s.name,
  s.ts,
  s.dur,
  p.beside_ns,
  p.next_slice_id,
  n.name AS next_name
FROM picked AS p
JOIN named AS s ON s.slice_id = p.slice_id
JOIN track AS t ON t.track_id = s.track_id
JOIN named AS n ON n.slice_id = p.next_slice_id
ORDER BY p.beside_ns DESC, p.slice_id
