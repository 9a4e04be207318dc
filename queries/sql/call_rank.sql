-- title:   A call among its like
-- about:   The calls of a kernel's operator on its rank, how many of them are
--          longer than the kernel and how many began before it, and which
--          come before and after it in time. An operator is what has the same
--          type, or without one the same name. median is a length that
--          occurs, of two in the middle the shorter.
-- param:   kernel_id BIGINT     the kernel
-- param:   step INTEGER = NULL  only calls of this step
-- columns: count BIGINT, total BIGINT, min BIGINT, median BIGINT, max BIGINT,
--          longer BIGINT, earlier BIGINT, previous_kernel_id BIGINT,
--          next_kernel_id BIGINT
-- needs:   kernel
WITH one AS (
  SELECT kernel_id, rank, name, type, ts, dur
  FROM kernel
  WHERE kernel_id = $kernel_id
), alike AS (
  SELECT
    k.dur,
    k.kernel_id,
    k.dur > o.dur AS longer,
    (k.ts, k.kernel_id) < (o.ts, o.kernel_id) AS earlier,
    k.ts
  FROM kernel AS k
  JOIN one AS o
    ON o.rank = k.rank
    AND o.type IS NOT DISTINCT FROM k.type
    AND (o.type IS NOT NULL OR o.name = k.name)
  WHERE $step IS NULL OR k.step = $step
)
SELECT
  count(*) AS count,
  sum(dur)::BIGINT AS total,
  min(dur) AS min,
  quantile_disc(dur, 0.5) AS median,
  max(dur) AS max,
  count(*) FILTER (longer) AS longer,
  count(*) FILTER (earlier) AS earlier,
  arg_max(kernel_id, (ts, kernel_id)) FILTER (earlier) AS previous_kernel_id,
  arg_min(kernel_id, (ts, kernel_id))
    FILTER (NOT earlier AND kernel_id <> $kernel_id) AS next_kernel_id
FROM alike
HAVING count(*) > 0
