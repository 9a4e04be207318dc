-- The calls of the shape groups that spread: a call is slow that takes
-- least_spread times the shortest of its group (least) or more, and conversion
-- is the layout operator that ran directly before it on its stream.
CREATE MACRO spread_call(
  only_rank, only_step, only_judged, only_shaped, least_spread, least_calls
) AS TABLE
WITH shaped AS (
  FROM shape_spread(
    only_rank, only_step, only_judged, only_shaped, least_spread, least_calls
  )
  WHERE spreads
), calls AS (
  SELECT
    k.rank,
    k.device_id,
    k.stream_id,
    s.kind,
    s.core,
    k.kernel_id,
    k.slice_id,
    k.step,
    k.ts,
    k.dur,
    s.has_shapes,
    s.least,
    k.dur >= least_spread * greatest(s.least, 1) AS slow
  FROM kernel AS k
  JOIN shaped AS s
    ON s.rank = k.rank AND s.kind = coalesce(k.type, k.name)
    AND s.core = k.core
    AND s.shape_group = hash(
      k.input_shapes, k.input_dtypes, k.input_formats,
      k.output_shapes, k.output_dtypes, k.output_formats
    )
  WHERE (only_rank IS NULL OR k.rank = only_rank)
    AND (only_step IS NULL OR k.step = only_step)
    AND (NOT only_judged OR EXISTS (
      FROM judged(only_rank, only_step) AS j
      WHERE j.rank = k.rank AND j.step = k.step
    ))
), layout AS (
  SELECT kernel_id, layout_type, dur
  FROM layout_calls(only_rank, only_step)
  WHERE EXISTS (FROM shaped)
), stream AS (
  SELECT
    kernel_id,
    lag(kernel_id) OVER (
      PARTITION BY rank, device_id, stream_id ORDER BY ts, kernel_id
    ) AS previous_id
  FROM kernel
  WHERE (only_rank IS NULL OR rank = only_rank)
    AND (only_step IS NULL OR step = only_step)
    AND stream_id IS NOT NULL
    AND EXISTS (FROM layout)
)
SELECT c.*, l.layout_type AS conversion, l.dur AS conversion_dur
FROM calls AS c
LEFT JOIN stream AS b ON b.kernel_id = c.kernel_id
LEFT JOIN layout AS l ON l.kernel_id = b.previous_id
