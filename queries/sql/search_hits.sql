-- title:   Search hits
-- about:   The slices whose name contains a text, whatever the case, in time.
-- param:   text VARCHAR           part of a name
-- param:   rank INTEGER = NULL    only this rank
-- param:   step INTEGER = NULL    only this step
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL    only what begins before this instant, ns
-- param:   limit BIGINT = 1000    so many rows
-- columns: slice_id BIGINT, rank INTEGER, track_id BIGINT,
--          process_name VARCHAR, thread_name VARCHAR, step INTEGER,
--          ts BIGINT, dur BIGINT, name VARCHAR, class VARCHAR
-- needs:   slice, track
WITH hit AS (
  SELECT *
  FROM slice
  WHERE ($text IS NULL OR contains(lower(name), lower($text)))
    AND ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($from_ts IS NULL OR end_ts > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  ORDER BY ts, slice_id
  LIMIT $limit
)
SELECT
  h.slice_id,
  h.rank,
  h.track_id,
  t.process_name,
  t.thread_name,
  h.step,
  h.ts,
  h.dur,
  h.name,
  h.class
FROM hit AS h
LEFT JOIN track AS t ON t.track_id = h.track_id
ORDER BY h.ts, h.slice_id
