-- title:   Pairs of streams
-- about:   Each stream of a device beside each other one in a step: how long
--          each was busy, and both at once (both_ns; both_share is of the one
--          that was busy for less); how often and how long the first waited
--          for a record of the other. unused_ns is what of it the other had
--          run all that was waited for and was not held itself: streams in
--          series that could have run side by side. The last record that is
--          waited for, with the task before it, is what holds the device.
-- param:   step INTEGER         the step
-- param:   rank INTEGER = NULL  only this rank
-- columns: rank INTEGER, device_id INTEGER, stream_id BIGINT,
--          other_stream_id BIGINT, busy_ns BIGINT, other_busy_ns BIGINT,
--          both_ns BIGINT, both_share DOUBLE, waits BIGINT,
--          wait_ns BIGINT, unused_ns BIGINT, longest_slice_id BIGINT,
--          last_ts BIGINT, last_producer_slice_id BIGINT,
--          last_producer VARCHAR
-- needs:   slice, track, event_wait, step
WITH task AS (
  SELECT
    s.track_id,
    -- Tasks within each other are time once.
    greatest(s.ts, max(s.end_ts) OVER (
      PARTITION BY s.track_id ORDER BY s.ts, s.slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )) AS ts,
    s.end_ts
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE t.kind = 'stream'
    AND t.stream_id IS NOT NULL
    AND s.class IN ('compute', 'mc2', 'communication', 'copy')
    AND s.step = $step
    AND ($rank IS NULL OR s.rank = $rank)
), busy AS (
  SELECT
    *,
    sum(end_ts - ts) OVER (PARTITION BY track_id ORDER BY ts) - (end_ts - ts)
      AS before_ns
  FROM task
  WHERE end_ts > ts
), waited AS (
  SELECT
    track_id,
    record_track_id,
    count(*) AS waits,
    sum(dur)::BIGINT AS wait_ns,
    sum(unused_ns)::BIGINT AS unused_ns,
    arg_max(slice_id, by_length(dur, slice_id)) AS longest_slice_id,
    arg_max(
      {'ts': ts + dur, 'id': producer_slice_id, 'name': producer_name},
      ts + dur
    ) AS last
  FROM stream_waits($rank, $step)
  GROUP BY track_id, record_track_id
), seen AS (
  SELECT track_id, end_ts - ts AS busy_ns FROM busy
  UNION ALL
  SELECT unnest([track_id, record_track_id]), 0 FROM waited
), lane AS (
  SELECT
    s.track_id,
    t.rank,
    t.device_id,
    t.stream_id,
    sum(s.busy_ns)::BIGINT AS busy_ns
  FROM seen AS s
  JOIN track AS t ON t.track_id = s.track_id
  GROUP BY s.track_id, t.rank, t.device_id, t.stream_id
), pair AS (
  SELECT
    a.*,
    b.track_id AS other_track_id,
    b.stream_id AS other_stream_id,
    b.busy_ns AS other_busy_ns
  FROM lane AS a
  JOIN lane AS b
    ON b.rank = a.rank
    AND b.device_id IS NOT DISTINCT FROM a.device_id
    AND b.track_id <> a.track_id
), edge AS (
  -- Where the tasks of one begin and end, and the tasks of the other. Both ways
  -- it is the same time.
  SELECT
    p.track_id,
    p.other_track_id,
    unnest([b.ts, b.end_ts]) AS ts,
    unnest([-1, 1]) AS sign,
    NULL AS before_ns,
    NULL AS begun_ts,
    NULL AS end_ts
  FROM pair AS p
  JOIN busy AS b ON b.track_id = p.track_id
  WHERE p.track_id < p.other_track_id
  UNION ALL
  SELECT
    p.track_id,
    p.other_track_id,
    b.ts,
    0,
    b.before_ns,
    b.ts,
    b.end_ts
  FROM pair AS p
  JOIN busy AS b ON b.track_id = p.other_track_id
  WHERE p.track_id < p.other_track_id
), followed AS (
  -- The last task of the other: they follow each other.
  SELECT
    track_id,
    other_track_id,
    ts,
    sign,
    max(before_ns) OVER w AS before_ns,
    max(begun_ts) OVER w AS begun_ts,
    max(end_ts) OVER w AS end_ts
  FROM edge
  WINDOW w AS (
    PARTITION BY track_id, other_track_id ORDER BY ts ROWS UNBOUNDED PRECEDING
  )
), met AS (
  -- How long the other was busy by the beginning and by the end of each task.
  SELECT
    track_id,
    other_track_id,
    sum(sign * (before_ns + least(end_ts, ts) - begun_ts))::BIGINT AS both_ns
  FROM followed
  GROUP BY track_id, other_track_id
)
SELECT
  p.rank,
  p.device_id,
  p.stream_id,
  p.other_stream_id,
  p.busy_ns,
  p.other_busy_ns,
  coalesce(m.both_ns, 0) AS both_ns,
  coalesce(m.both_ns, 0) / nullif(least(p.busy_ns, p.other_busy_ns), 0)
    AS both_share,
  coalesce(w.waits, 0) AS waits,
  coalesce(w.wait_ns, 0) AS wait_ns,
  coalesce(w.unused_ns, 0) AS unused_ns,
  w.longest_slice_id,
  w.last.ts AS last_ts,
  w.last.id AS last_producer_slice_id,
  w.last.name AS last_producer
FROM pair AS p
LEFT JOIN met AS m
  ON m.track_id = least(p.track_id, p.other_track_id)
  AND m.other_track_id = greatest(p.track_id, p.other_track_id)
LEFT JOIN waited AS w
  ON w.track_id = p.track_id AND w.record_track_id = p.other_track_id
ORDER BY p.rank, p.device_id, p.stream_id, p.other_stream_id
