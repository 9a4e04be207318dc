-- title:   Calls that are outliers
-- about:   Of some calls those that take longer than fence_ns, longest first:
--          the upper quartile and 1.5 times the distance of the quartiles above
--          it, and twice the median (p50) at least. why is shape where a call
--          takes less than twice the median of the calls of its own shapes
--          (shape_p50), else conversion where a layout operator, before_type,
--          ran directly before it on its stream; NULL is not explained.
-- param:   rank INTEGER = NULL          only this rank
-- param:   step INTEGER = NULL          only this step
-- param:   name VARCHAR = NULL          only kernels of this name
-- param:   type VARCHAR = NULL          only kernels of this operator type
-- param:   core VARCHAR = NULL          only what ran on this core
-- param:   input_shapes VARCHAR = NULL  only what read these shapes
-- param:   input_dtypes VARCHAR = NULL  only what read these types
-- param:   stream_id BIGINT = NULL      only what ran on this stream
-- param:   from_ts BIGINT = NULL        only from this instant on, ns
-- param:   to_ts BIGINT = NULL          only before this instant, ns
-- param:   limit BIGINT = NULL          so many rows
-- columns: kernel_id BIGINT, rank INTEGER, slice_id BIGINT, step INTEGER,
--          ts BIGINT, dur BIGINT, p50 BIGINT, fence_ns BIGINT,
--          shape_p50 BIGINT, shape_count BIGINT, why VARCHAR,
--          before_type VARCHAR, before_dur BIGINT
-- needs:   kernel, kernel_shape, layout_call
WITH shape AS (
  SELECT
    shape_id,
    min(shape_id) OVER (
      PARTITION BY
        input_shapes, input_dtypes, input_formats, output_shapes, output_dtypes,
        output_formats
    ) AS shape_group
  FROM kernel_shape
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($name IS NULL OR name = $name)
    AND ($type IS NULL OR type = $type)
    AND ($core IS NULL OR core = $core)
    AND ($input_shapes IS NULL OR input_shapes = $input_shapes)
    AND ($input_dtypes IS NULL OR input_dtypes = $input_dtypes)
), calls AS (
  SELECT
    k.kernel_id, k.rank, k.slice_id, k.step, k.ts, k.dur,
    s.shape_group
  FROM kernel AS k
  JOIN shape AS s ON s.shape_id = k.shape_id
  WHERE ($rank IS NULL OR k.rank = $rank)
    AND ($step IS NULL OR k.step = $step)
    AND ($stream_id IS NULL OR k.stream_id = $stream_id)
    AND ($from_ts IS NULL OR k.ts >= $from_ts)
    AND ($to_ts IS NULL OR k.ts < $to_ts)
), fence AS (
  SELECT
    part[2] AS p50,
    -- Broken lengths may pass any width.
    try_cast(greatest(
      part[3] + 3 * (part[3] - part[1]::HUGEINT) // 2, 2 * part[2]::HUGEINT - 1
    ) AS BIGINT) AS fence_ns
  FROM (
    -- All in one pass.
    SELECT quantile_disc(dur, '[0.25, 0.5, 0.75]'::DOUBLE[]) AS part
    FROM calls
  )
), long AS (
  SELECT c.*, f.p50, f.fence_ns
  FROM calls AS c
  JOIN fence AS f ON c.dur > f.fence_ns
), shaped AS (
  SELECT
    shape_group,
    quantile_disc(dur, 0.5) AS shape_p50,
    count(*) AS shape_count
  FROM calls
  WHERE shape_group IN (SELECT shape_group FROM long)
  GROUP BY shape_group
)
SELECT
  c.kernel_id,
  c.rank,
  c.slice_id,
  c.step,
  c.ts,
  c.dur,
  c.p50,
  c.fence_ns,
  s.shape_p50,
  s.shape_count,
  CASE
    WHEN c.dur < 2 * s.shape_p50 THEN 'shape'
    WHEN l.type IS NOT NULL THEN 'conversion'
  END AS why,
  l.type AS before_type,
  l.dur AS before_dur
FROM long AS c
JOIN shaped AS s ON s.shape_group = c.shape_group
LEFT JOIN layout_call AS l
  ON l.next_kernel_id = c.kernel_id
  AND ($step IS NULL OR l.step = $step)
ORDER BY c.dur DESC, c.kernel_id
LIMIT $limit
