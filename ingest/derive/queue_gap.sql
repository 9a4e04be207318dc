-- table: queue_gap
-- about: How long a device stands still between two tasks although the next one was
--        launched before, by what ran before, and how many of these gaps are near
--        their median.
WITH queued AS (
  SELECT g.device_id, g.dur, p.class, p.task_type
  FROM gap AS g
  JOIN placed AS p ON g.prev_slice_id = p.slice_id
  JOIN launch_link AS l ON g.next_slice_id = l.slice_id
  WHERE g.kind = 'device' AND l.launch_end <= g.ts
), spelled AS (
  -- Gaps are many, words few.
  SELECT
    k.class,
    k.task_type,
    CASE
      WHEN k.class IN ('compute', 'mc2')
        AND regexp_matches(w.text, '^(AI[ _]?CPU|KERNEL[ _]AICPU)', 'i') IS NOT TRUE
        THEN 'AI Core'
      ELSE coalesce(w.text, k.class::VARCHAR)
    END AS before
  FROM (SELECT DISTINCT class, task_type FROM queued) AS k
  LEFT JOIN word AS w ON k.task_type = w.code
), told AS (
  SELECT q.device_id, q.dur, s.before
  FROM queued AS q
  JOIN spelled AS s
    ON q.class = s.class AND q.task_type IS NOT DISTINCT FROM s.task_type
), typical AS (
  SELECT device_id, before, quantile_disc(dur, 0.5) AS dur
  FROM told
  GROUP BY device_id, before
), near AS (
  SELECT
    t.*,
    m.dur AS median,
    t.dur BETWEEN m.dur * 3 // 4 AND m.dur * 4 // 3 AS clustered
  FROM told AS t
  JOIN typical AS m
    ON t.device_id IS NOT DISTINCT FROM m.device_id AND t.before = m.before
)
SELECT
  $rank::INTEGER AS rank,
  device_id,
  before,
  count(*) AS count,
  sum(dur)::BIGINT AS total,
  min(dur) AS min,
  any_value(median) AS median,
  max(dur) AS max,
  min(dur) FILTER (clustered) AS cluster_from_ns,
  max(dur) FILTER (clustered) AS cluster_to_ns,
  count(*) FILTER (clustered) AS cluster_count,
  sum(dur) FILTER (clustered)::BIGINT AS cluster_ns
FROM near
GROUP BY device_id, before
ORDER BY device_id, before
