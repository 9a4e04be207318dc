-- table: host_sync
-- about: Each of the host's waits for the device with the call that launched
--        something last on its thread, and how many did since the wait before.
WITH launching AS (
  SELECT DISTINCT coalesce(enqueue_slice_id, host_slice_id) AS slice_id
  FROM launch_link
  WHERE EXISTS (FROM host_wait)
), launches AS (
  SELECT
    p.slice_id,
    t.thread,
    p.ts,
    row_number() OVER (PARTITION BY t.thread ORDER BY p.ts, p.slice_id) AS place
  FROM placed AS p
  SEMI JOIN launching USING (slice_id)
  -- A call that waits for its own copy launches nothing else.
  ANTI JOIN host_wait USING (slice_id)
  JOIN host_thread AS t USING (track_id)
), counts AS (
  SELECT thread, max(place) AS launches FROM launches GROUP BY thread
), waits AS (
  SELECT
    h.slice_id,
    h.moves,
    h.excluded,
    h.thread,
    h.ts,
    l.slice_id AS launch_slice_id,
    coalesce(l.place, 0) AS launches
  FROM host_wait AS h
  ASOF LEFT JOIN launches AS l ON h.thread = l.thread AND h.ts >= l.ts
), since AS (
  SELECT
    * EXCLUDE (launches),
    launches - coalesce(lag(launches) OVER w, 0) AS launches,
    lead(launches) OVER w - launches AS launches_after,
    launches AS place
  FROM waits
  WINDOW w AS (PARTITION BY thread ORDER BY ts, slice_id)
)
SELECT
  s.slice_id,
  $rank::INTEGER AS rank,
  s.moves,
  CASE WHEN s.launches > 0 THEN s.launch_slice_id END AS launch_slice_id,
  s.launches,
  coalesce(s.launches_after, c.launches - s.place, 0) AS launches_after,
  s.excluded
FROM since AS s
LEFT JOIN counts AS c USING (thread)
ORDER BY s.slice_id
