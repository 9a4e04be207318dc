-- How long a device stands still between two tasks although the next one was
-- launched before, by what ran before, and how many of these gaps are near
-- their median.
WITH queued AS (
  SELECT
    g.rank,
    g.device_id,
    g.dur,
    CASE
      WHEN p.class IN ('compute', 'mc2')
        AND regexp_matches(
          p.task_type, '^(AI[ _]?CPU|KERNEL[ _]AICPU)', 'i'
        ) IS NOT TRUE THEN 'AI Core'
      ELSE coalesce(p.task_type, p.class)
    END AS before
  FROM gap AS g
  JOIN slice AS p ON p.slice_id = g.prev_slice_id
  JOIN launch_link AS l ON l.slice_id = g.next_slice_id
  WHERE g.kind = 'device'
    AND l.launch_end <= g.ts
), typical AS (
  SELECT rank, device_id, before, quantile_disc(dur, 0.5) AS dur
  FROM queued
  GROUP BY rank, device_id, before
), near AS (
  SELECT
    q.*,
    t.dur AS median,
    q.dur BETWEEN t.dur * 3 // 4 AND t.dur * 4 // 3 AS clustered
  FROM queued AS q
  JOIN typical AS t
    ON t.rank = q.rank
    AND t.device_id IS NOT DISTINCT FROM q.device_id
    AND t.before = q.before
), spaced AS (
  SELECT
    rank,
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
  GROUP BY rank, device_id, before
), switched AS (
  SELECT
    rank,
    nullif(concat_ws(
      ', ',
      CASE WHEN switches ->> '$._l2_cache' = 'true'
        OR switches ->> '$.l2_cache' = 'true'
        OR switches ->> '$.l2' = 'on' THEN 'l2_cache' END,
      CASE WHEN switches ->> '$._aic_metrics' NOT LIKE '%NONE'
        THEN 'aic_metrics' END
    ), '') AS switches
  FROM profile
  WHERE json_valid(switches)
)
SELECT
  s.rank,
  s.device_id,
  s.before,
  s.count,
  s.total,
  s.min,
  s.median,
  s.max,
  s.cluster_from_ns,
  s.cluster_to_ns,
  s.cluster_count,
  s.cluster_ns,
  s.cluster_count / s.count AS cluster_share,
  w.switches,
  s.before = 'AI Core'
    AND w.switches IS NOT NULL
    -- Four times what a device needs at most by itself, as for the stalls.
    AND s.median >= 20000
    AND s.count >= 10
    AND s.cluster_count * 2 >= s.count AS profiler
FROM spaced AS s
LEFT JOIN switched AS w ON w.rank = s.rank
