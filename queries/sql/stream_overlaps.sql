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
WITH task AS (
  SELECT
    s.*,
    t.device_id,
    lead(s.ts) OVER w AS next_ts,
    lead(s.slice_id) OVER w AS next_slice_id,
    lead(s.name) OVER w AS next_name
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind = 'stream'
    AND t.stream_id IS NOT NULL
    AND s.class IN ('compute', 'mc2')
    AND ($rank IS NULL OR s.rank = $rank)
  WINDOW w AS (PARTITION BY s.track_id ORDER BY s.slice_id)
)
SELECT
  slice_id,
  rank,
  device_id,
  stream_id,
  step,
  name,
  ts,
  dur,
  end_ts - next_ts AS beside_ns,
  next_slice_id,
  next_name
FROM task
WHERE end_ts > next_ts
  AND ($step IS NULL OR step = $step)
ORDER BY beside_ns DESC, slice_id
LIMIT $limit
