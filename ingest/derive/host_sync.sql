-- table: host_sync
-- about: Each of the host's waits for the device with the call that launched
--        something last on its thread, and how many did since the wait before.
WITH launching AS (
  SELECT DISTINCT coalesce(enqueue_slice_id, host_slice_id) AS slice_id
  FROM launch_link
  WHERE EXISTS (FROM host_wait)
), launches AS (
  SELECT p.slice_id, t.thread, p.ts
  FROM placed AS p
  SEMI JOIN launching USING (slice_id)
  ANTI JOIN host_wait USING (slice_id)
  JOIN host_thread AS t USING (track_id)
  SEMI JOIN host_wait AS h ON t.thread = h.thread
), calls AS (
  SELECT thread, ts, false AS waits, slice_id FROM launches
  UNION ALL
  SELECT thread, ts, true, slice_id FROM host_wait
), counted AS (
  SELECT
    thread,
    ts,
    waits,
    slice_id,
    last_value(CASE WHEN NOT waits THEN slice_id END IGNORE NULLS) OVER w
      AS launch_slice_id,
    count(*) FILTER (NOT waits) OVER w AS launches,
    count(*) FILTER (NOT waits) OVER (PARTITION BY thread) AS all_launches
  FROM calls
  WINDOW w AS (
    PARTITION BY thread ORDER BY ts, waits, slice_id ROWS UNBOUNDED PRECEDING
  )
), since AS (
  SELECT
    slice_id,
    launch_slice_id,
    launches - coalesce(lag(launches) OVER w, 0) AS launches,
    coalesce(lead(launches) OVER w, all_launches) - launches AS launches_after
  FROM counted
  WHERE waits
  WINDOW w AS (PARTITION BY thread ORDER BY ts, slice_id)
)
SELECT
  h.slice_id,
  $rank::INTEGER AS rank,
  h.moves,
  CASE WHEN s.launches > 0 THEN s.launch_slice_id END AS launch_slice_id,
  s.launches,
  s.launches_after,
  h.excluded
FROM host_wait AS h
JOIN since AS s USING (slice_id)
ORDER BY h.slice_id
