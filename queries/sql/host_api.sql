-- title:   Host calls
-- about:   Calls on the lanes of the host by name, most time first. A call
--          holds the calls inside it, so names are not to be added up. total is
--          NULL where broken slices make it pass 64 bits.
-- param:   rank INTEGER = NULL     only this rank
-- param:   step INTEGER = NULL     only this step
-- param:   kind VARCHAR = 'cann' of cann|python|host  kind of lane; NULL all
-- param:   limit BIGINT = NULL     so many rows
-- columns: rank INTEGER, kind VARCHAR, name VARCHAR, count BIGINT,
--          total BIGINT, avg BIGINT, longest BIGINT,
--          longest_slice_id BIGINT
-- needs:   slice, track
WITH calls AS (
  SELECT s.rank, t.kind, s.name, s.dur, s.slice_id
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind IN ('cann', 'python', 'host')
    AND ($kind IS NULL OR t.kind = $kind)
    AND ($rank IS NULL OR s.rank = $rank)
    AND ($step IS NULL OR s.step = $step)
)
SELECT
  rank,
  kind,
  name,
  count(*) AS count,
  try_cast(sum(dur) AS BIGINT) AS total,
  (sum(dur) // count(*))::BIGINT AS avg,
  max(dur) AS longest,
  arg_max(slice_id, by_length(dur, slice_id)) AS longest_slice_id
FROM calls
GROUP BY rank, kind, name
ORDER BY sum(dur) DESC, rank, kind, name
LIMIT $limit
