-- The shape groups of operators on AI Cores whose longest call takes
-- least_spread times the shortest or more: the calls of the same shapes, types
-- and formats, and whether they alone spread as far. The rows of kernel that
-- count are named as a table of theirs. A group has one shape_id or, where a
-- type has several names or numbers of blocks, several (shape_ids); shape_group
-- numbers them.
CREATE MACRO shape_spread(kernels, least_spread, least_calls) AS TABLE
WITH called AS (
  -- Numbers are grouped faster than texts.
  SELECT
    shape_id,
    count(*) AS count,
    sum(dur) AS total,
    min(dur) AS least,
    max(dur) AS most
  FROM query_table(kernels)
  GROUP BY shape_id
), shaped AS (
  SELECT
    s.rank,
    coalesce(s.type, s.name) AS kind,
    s.core,
    any_value(s.input_shapes) IS NOT NULL AS has_shapes,
    list(c.shape_id) AS shape_ids,
    sum(c.count)::BIGINT AS count,
    sum(c.total) AS total,
    min(c.least) AS least,
    max(c.most) AS most
  FROM called AS c
  JOIN kernel_shape AS s ON s.shape_id = c.shape_id
  WHERE upper(s.core) IN (
      'AI_CORE', 'AI_VECTOR_CORE', 'MIX_AIC', 'MIX_AIV', 'AIC', 'AIV',
      'KERNEL_AICORE', 'KERNEL_AIVEC', 'KERNEL_MIX_AIC', 'KERNEL_MIX_AIV'
    )
    -- These wait for peers inside.
    AND NOT regexp_matches(
      coalesce(s.type, s.name),
      'MoeDistribute|AllGatherMatmul|MatmulReduceScatter|MatmulAllReduce'
      '|AlltoAllvGroupedMatMul|GroupedMatMulAlltoAllv'
    )
  GROUP BY
    s.rank, kind, s.core, s.input_shapes, s.input_dtypes, s.input_formats,
    s.output_shapes, s.output_dtypes, s.output_formats
)
SELECT
  *,
  row_number() OVER () AS shape_group,
  most >= least_spread * greatest(least, 1) AS spreads
FROM shaped
WINDOW operator AS (PARTITION BY rank, kind, core)
QUALIFY sum(count) OVER operator >= least_calls
  AND max(most) OVER operator
    >= least_spread * greatest(min(least) OVER operator, 1)
