-- title:   Launches that are waited for one by one
-- about:   How many calls of each thread that launched something were followed
--          by a wait for the device before the next of them (followed), by the
--          step of the wait. From a ratio of a half on the thread does not run
--          ahead of the device. Launches count with the first wait after them;
--          those after a thread's last wait with that.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, step INTEGER, track_id BIGINT,
--          thread_name VARCHAR, launches BIGINT, waits BIGINT,
--          followed BIGINT, ratio DOUBLE, waited_ns BIGINT,
--          longest_slice_id BIGINT
-- needs:   host_sync, slice, track
WITH waits AS (
  SELECT
    h.*,
    s.step,
    s.track_id,
    s.dur,
    row_number() OVER (
      PARTITION BY s.track_id ORDER BY s.ts DESC, s.slice_id DESC
    ) = 1 AS last
  FROM host_sync AS h
  JOIN slice AS s ON s.slice_id = h.slice_id
  WHERE $rank IS NULL OR h.rank = $rank
), threads AS (
  SELECT
    rank,
    step,
    track_id,
    sum(launches + CASE WHEN last THEN launches_after ELSE 0 END)::BIGINT
      AS launches,
    count(*) AS waits,
    count(*) FILTER (launches > 0) AS followed,
    sum(dur)::BIGINT AS waited_ns,
    arg_max(slice_id, by_length(dur, slice_id)) AS longest_slice_id
  FROM waits
  GROUP BY rank, step, track_id
)
SELECT
  h.rank,
  h.step,
  h.track_id,
  t.thread_name,
  h.launches,
  h.waits,
  h.followed,
  h.followed / nullif(h.launches, 0) AS ratio,
  h.waited_ns,
  h.longest_slice_id
FROM threads AS h
JOIN track AS t ON t.track_id = h.track_id
WHERE $step IS NULL OR h.step = $step
ORDER BY h.followed DESC, h.rank, h.step, h.track_id
LIMIT $limit
