-- title:   Spacing of queued tasks
-- about:   How long a device stands still between two tasks although the next
--          one was launched before, by what ran before. The cluster has the
--          gaps from 3/4 to 4/3 of the median: the same spacing again and
--          again is made by something. Where ten or more follow the AI Core,
--          half of them in the cluster, the median is 20 us or more, and a
--          switch was on that spaces kernels, it is inferred to be the
--          profiler's: collect again with l2_cache=False.
-- param:   rank INTEGER = NULL  only this rank
-- columns: rank INTEGER, device_id INTEGER, before VARCHAR, count BIGINT,
--          total BIGINT, min BIGINT, median BIGINT, max BIGINT,
--          cluster_from_ns BIGINT, cluster_to_ns BIGINT,
--          cluster_count BIGINT, cluster_ns BIGINT,
--          cluster_share DOUBLE, switches VARCHAR, profiler BOOLEAN
-- needs:   spacing
SELECT
  rank,
  device_id,
  before,
  count,
  total,
  min,
  median,
  max,
  cluster_from_ns,
  cluster_to_ns,
  cluster_count,
  cluster_ns,
  cluster_share,
  switches,
  profiler
FROM spacing
WHERE ($rank IS NULL OR rank = $rank)
ORDER BY rank, device_id, total DESC, before
