-- title:   Chains of layout operators
-- about:   Layout and conversion operators directly after each other on one
--          stream. Chains of the same types and first tensor count together,
--          most time first; tensor_bytes is what the first of them reads, bytes
--          what all of them read and write. linked says that each reads the
--          shape that the one before wrote: the same tensor is most likely
--          turned over and over, and one operator could do it.
-- param:   rank INTEGER = NULL   only this rank
-- param:   step INTEGER = NULL   only this step
-- param:   least BIGINT = 2      operators in a row from which a chain counts
-- param:   limit BIGINT = NULL   so many rows
-- columns: rank INTEGER, step INTEGER, stream_id BIGINT, types VARCHAR,
--          operators BIGINT, count BIGINT, total BIGINT, longest BIGINT,
--          longest_ts BIGINT, longest_kernel_id BIGINT,
--          tensor_bytes BIGINT, bytes BIGINT, linked BOOLEAN
-- needs:   kernel, kernel_shape, layout_call, slice
WITH kernels AS MATERIALIZED (
  SELECT *
  -- Of a chain that reaches into the next step only its own part counts.
  FROM layout_kernels($rank, $step)
  WHERE slice_id IS NOT NULL
), near AS (
  SELECT
    slice_id,
    slice_id - row_number() OVER (ORDER BY slice_id) AS run
  FROM kernels
), several AS (
  -- Few have another one beside them: only the lanes of those are looked up.
  SELECT slice_id
  FROM near
  QUALIFY count(*) OVER (PARTITION BY run) >= $least
), placed AS (
  SELECT
    k.*,
    s.track_id,
    -- Slices of a lane are numbered as they follow each other.
    k.slice_id - row_number() OVER (
      PARTITION BY s.track_id ORDER BY k.slice_id
    ) AS run
  FROM kernels AS k
  JOIN several AS n ON n.slice_id = k.slice_id
  JOIN slice AS s ON s.slice_id = k.slice_id
), followed AS (
  SELECT
    *,
    string_split(trim(input_shapes, '" '), ';')[1]
      = lag(string_split(trim(output_shapes, '" '), ';')[1]) OVER (
        PARTITION BY track_id, run ORDER BY slice_id
      ) AS reads_it
  FROM placed
), chains AS (
  SELECT
    rank,
    arg_min_null(step, slice_id) AS step,
    any_value(stream_id) AS stream_id,
    string_agg(type, ' > ' ORDER BY slice_id) AS types,
    count(*) AS operators,
    sum(dur)::BIGINT AS dur,
    min(ts) AS ts,
    arg_min(kernel_id, slice_id) AS kernel_id,
    arg_min_null(input_bytes, slice_id) AS tensor_bytes,
    CASE WHEN count(bytes) = count(*) THEN
      try_cast(sum(bytes) AS BIGINT)
    END AS bytes,
    -- The first of a chain has nothing before it.
    CASE WHEN count(reads_it) = count(*) - 1 THEN bool_and(reads_it) END
      AS linked
  FROM followed
  GROUP BY rank, track_id, run
  HAVING count(*) >= $least
)
SELECT
  rank,
  step,
  stream_id,
  types,
  operators,
  count(*) AS count,
  sum(dur)::BIGINT AS total,
  max(dur) AS longest,
  arg_max(ts, by_length(dur, ts)) AS longest_ts,
  arg_max(kernel_id, by_length(dur, ts)) AS longest_kernel_id,
  tensor_bytes,
  CASE WHEN count(bytes) = count(*) THEN
    try_cast(sum(bytes) AS BIGINT)
  END AS bytes,
  linked
FROM chains
WHERE $step IS NULL OR step = $step
GROUP BY rank, step, stream_id, types, operators, tensor_bytes, linked
ORDER BY total DESC, rank, step, stream_id, types, tensor_bytes, linked
LIMIT $limit
