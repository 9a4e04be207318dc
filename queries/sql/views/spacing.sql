-- How long a device stands still between two tasks although the next one was
-- launched before, by what ran before, and whether collecting made it so.
WITH switched AS (
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
FROM queue_gap AS s
LEFT JOIN switched AS w ON w.rank = s.rank
