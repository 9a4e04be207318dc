-- title:   Layout and conversion operators
-- about:   Kernels that only move a tensor, change its layout or its type, by
--          type and step, most time first. compute_share is their share of the
--          time in which the device computes, period_share of the step; bytes
--          are read and written, by the shapes of those sized.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, step INTEGER, type VARCHAR, core VARCHAR,
--          count BIGINT, total BIGINT, longest BIGINT,
--          longest_kernel_id BIGINT, compute_share DOUBLE,
--          period_share DOUBLE, bytes BIGINT, sized BIGINT,
--          bytes_per_s DOUBLE
-- needs:   kernel, kernel_shape, layout_call, step, ledger
WITH totals AS (
  SELECT
    rank,
    step,
    type,
    core,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    max(dur) AS longest,
    arg_max(kernel_id, by_length(dur, kernel_id)) AS longest_kernel_id,
    try_cast(sum(bytes) AS BIGINT) AS bytes,
    count(bytes) AS sized,
    sum(dur) FILTER (bytes IS NOT NULL) AS timed
  FROM layout_kernels($rank, $step)
  GROUP BY rank, step, type, core
), computed AS (
  SELECT rank, step, sum(dur) AS computing
  FROM ledger
  WHERE state IN ('computing', 'mc2', 'aicpu')
  GROUP BY rank, step
)
SELECT
  t.rank,
  t.step,
  t.type,
  t.core,
  t.count,
  t.total,
  t.longest,
  t.longest_kernel_id,
  t.total / nullif(c.computing, 0) AS compute_share,
  t.total / nullif(s.dur, 0) AS period_share,
  t.bytes,
  t.sized,
  t.bytes * 1e9 / nullif(t.timed, 0)::DOUBLE AS bytes_per_s
FROM totals AS t
LEFT JOIN computed AS c ON c.rank = t.rank AND c.step = t.step
LEFT JOIN step AS s ON s.rank = t.rank AND s.step = t.step
ORDER BY t.total DESC, t.rank, t.step, t.type, t.core
LIMIT $limit
