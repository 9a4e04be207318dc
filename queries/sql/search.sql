-- title:   Search
-- about:   Names that contain a text, whatever the case, with how many slices
--          have them and which comes first; most slices first. total is NULL
--          where broken slices make it pass 64 bits.
-- param:   text VARCHAR           part of a name
-- param:   rank INTEGER = NULL    only this rank
-- param:   step INTEGER = NULL    only this step
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL    only what begins before this instant, ns
-- param:   limit BIGINT = NULL    so many rows
-- columns: name VARCHAR, count BIGINT, total BIGINT, longest BIGINT,
--          first_slice_id BIGINT, first_ts BIGINT
-- needs:   slice
SELECT
  name,
  count(*) AS count,
  try_cast(sum(dur) AS BIGINT) AS total,
  max(dur) AS longest,
  arg_min(slice_id, (ts, slice_id)) AS first_slice_id,
  min(ts) AS first_ts
FROM slice
WHERE ($text IS NULL OR contains(lower(name), lower($text)))
  AND ($rank IS NULL OR rank = $rank)
  AND ($step IS NULL OR step = $step)
  AND ($from_ts IS NULL OR end_ts > $from_ts)
  AND ($to_ts IS NULL OR ts < $to_ts)
GROUP BY name
ORDER BY count DESC, name
LIMIT $limit
