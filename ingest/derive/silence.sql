-- table: silence
-- about: Silences with the launch of the task that ends each. "late_end" is the end
--        of the part in which that task was not launched yet: the whole where no task
--        follows, NULL where the launch is not known.
WITH queued AS (
  SELECT DISTINCT t.thread
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  JOIN host_thread AS t USING (track_id)
  WHERE r.role = 'dequeue'
), stepping AS (
  -- The thread that counts the steps.
  SELECT arg_min(t.thread, (p.ts, p.slice_id)) AS thread
  FROM placed AS p
  JOIN host_thread AS t USING (track_id)
  WHERE p.class = 'step' AND t.kind IN ('python', 'host')
)
SELECT
  s.* EXCLUDE (launched_slice_id),
  k.host_slice_id,
  k.enqueue_slice_id,
  k.instant,
  CASE
    WHEN s.next_slice_id IS NULL THEN s.end_ts
    -- What is not known is left out by greatest and least.
    WHEN k.launch_end IS NOT NULL THEN greatest(s.ts, least(s.end_ts, k.launch_end))
  END AS late_end,
  coalesce(k.inferred, false) AS inferred,
  CASE WHEN s.next_slice_id IS NULL THEN w.thread ELSE coalesce(t.enqueuing, t.launching) END
    AS asking,
  t.launching,
  w.thread AS stepping,
  -- What a queue handed over without saying who had put it there.
  k.enqueue_slice_id IS NULL AND t.launching IN (SELECT thread FROM queued) AS unasked
FROM silence_task AS s
LEFT JOIN silence_link AS k USING (silence)
LEFT JOIN silence_thread AS t USING (silence)
CROSS JOIN stepping AS w
