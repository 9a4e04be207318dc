-- How long a device stands still between two tasks although the next one was
-- launched before, by what ran before, and the densest cluster of these gaps.
WITH queued AS (
  SELECT
    g.rank,
    g.device_id,
    g.dur,
    CASE
      WHEN p.class IN ('compute', 'mc2')
        AND NOT regexp_matches(
          upper(replace(coalesce(p.task_type, ''), ' ', '_')),
          '^(DSA|DVPP|AI_CPU|AICPU|KERNEL_AICPU)'
        ) THEN 'AI Core'
      ELSE coalesce(p.task_type, p.class)
    END AS before
  FROM gap AS g
  JOIN slice AS p ON p.slice_id = g.prev_slice_id
  JOIN launch_link AS l ON l.slice_id = g.next_slice_id
  WHERE g.kind = 'device'
    AND l.launch_end <= g.ts
), lengths AS (
  SELECT rank, device_id, before, dur, count(*) AS count
  FROM queued
  GROUP BY rank, device_id, before, dur
), near AS (
  SELECT
    rank,
    device_id,
    before,
    dur,
    sum(count) OVER (
      PARTITION BY rank, device_id, before ORDER BY dur
      RANGE BETWEEN CURRENT ROW AND coalesce(dur // 2, 0) FOLLOWING
    ) AS within
  FROM lengths
), cluster AS (
  SELECT
    rank,
    device_id,
    before,
    arg_max(dur, (within, -dur)) AS from_ns
  FROM near
  GROUP BY rank, device_id, before
), spaced AS (
  SELECT
    q.rank,
    q.device_id,
    q.before,
    count(*) AS count,
    sum(q.dur)::BIGINT AS total,
    min(q.dur) AS min,
    quantile_disc(q.dur, 0.5) AS median,
    max(q.dur) AS max,
    any_value(c.from_ns) AS cluster_from_ns,
    max(q.dur) FILTER (q.dur BETWEEN c.from_ns AND c.from_ns + c.from_ns // 2)
      AS cluster_to_ns,
    count(*) FILTER (q.dur BETWEEN c.from_ns AND c.from_ns + c.from_ns // 2)
      AS cluster_count,
    sum(q.dur) FILTER (
      q.dur BETWEEN c.from_ns AND c.from_ns + c.from_ns // 2
    )::BIGINT AS cluster_ns,
    quantile_disc(q.dur, 0.5) FILTER (
      q.dur BETWEEN c.from_ns AND c.from_ns + c.from_ns // 2
    ) AS cluster_median_ns
  FROM queued AS q
  JOIN cluster AS c
    ON c.rank = q.rank
    AND c.device_id IS NOT DISTINCT FROM q.device_id
    AND c.before = q.before
  GROUP BY q.rank, q.device_id, q.before
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
  s.cluster_median_ns,
  s.cluster_count,
  s.cluster_ns,
  s.cluster_count / s.count AS cluster_share,
  w.switches,
  s.before = 'AI Core'
    AND w.switches IS NOT NULL
    -- Devices need 1 to 5 us between tasks by themselves.
    AND s.cluster_from_ns >= 10000
    AND s.cluster_count >= 8
    AND s.cluster_count * 2 >= s.count AS profiler
FROM spaced AS s
LEFT JOIN switched AS w ON w.rank = s.rank
