-- The shape groups of operators on AI Cores whose longest call takes
-- least_spread times the shortest or more: the calls of the same shapes, types
-- and formats, and whether they alone spread as far. With only_shaped those
-- whose shapes were not collected are left out.
CREATE MACRO shape_spread(
  only_rank, only_step, only_judged, only_shaped, least_spread, least_calls
) AS TABLE
WITH wide AS (
  -- The totals say at once of which operators no call has to be looked at.
  SELECT rank, coalesce(type, name) AS kind, core
  FROM operator_total AS o
  WHERE (only_rank IS NULL OR rank = only_rank)
    AND (only_step IS NULL OR step = only_step)
    AND (NOT only_judged OR EXISTS (
      FROM judged(only_rank, only_step) AS j
      WHERE j.rank = o.rank AND j.step = o.step
    ))
    AND upper(core) IN (
      'AI_CORE', 'AI_VECTOR_CORE', 'MIX_AIC', 'MIX_AIV', 'AIC', 'AIV',
      'KERNEL_AICORE', 'KERNEL_AIVEC', 'KERNEL_MIX_AIC', 'KERNEL_MIX_AIV'
    )
    -- These wait for peers inside.
    AND NOT regexp_matches(
      coalesce(type, name),
      'MoeDistribute|AllGatherMatmul|MatmulReduceScatter|MatmulAllReduce'
      '|AlltoAllvGroupedMatMul|GroupedMatMulAlltoAllv'
    )
  GROUP BY rank, coalesce(type, name), core
  HAVING sum(count) >= least_calls
    AND max(max) >= least_spread * greatest(min(min), 1)
)
SELECT
  w.rank,
  w.kind,
  w.core,
  hash(
    k.input_shapes, k.input_dtypes, k.input_formats,
    k.output_shapes, k.output_dtypes, k.output_formats
  ) AS shape_group,
  bool_or(k.input_shapes IS NOT NULL) AS has_shapes,
  count(*) AS count,
  sum(k.dur) AS total,
  min(k.dur) AS least,
  max(k.dur) AS most,
  max(k.dur) >= least_spread * greatest(min(k.dur), 1) AS spreads
FROM kernel AS k
JOIN wide AS w
  ON w.rank = k.rank AND w.kind = coalesce(k.type, k.name)
  AND w.core = k.core
WHERE (NOT only_shaped OR k.input_shapes IS NOT NULL)
  AND (only_rank IS NULL OR k.rank = only_rank)
  AND (only_step IS NULL OR k.step = only_step)
  AND (NOT only_judged OR EXISTS (
    FROM judged(only_rank, only_step) AS j
    WHERE j.rank = k.rank AND j.step = k.step
  ))
GROUP BY w.rank, w.kind, w.core, shape_group
