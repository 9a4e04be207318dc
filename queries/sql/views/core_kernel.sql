-- Kernels of the AI cores with the busy shares of the units of the core that
-- they ran on longest, and what those say. side is cube or vector, of a MIX
-- kernel the one with the larger time; core where a chip has one kind of core.
-- busiest is the unit with the greatest share, of equals the first in machine
-- order. moved is the share of what brings data: mte2, on vector cores the
-- greater of mte2 and mte3; computed is that of the cube or vector unit. All
-- are NULL where the units were not measured.
WITH sided AS (
  SELECT
    *,
    CASE
      WHEN aic_mac_ratio IS NULL
        AND aic_mte2_ratio IS NULL
        AND aiv_vec_ratio IS NULL
        AND aiv_mte2_ratio IS NULL THEN NULL
      WHEN upper(core) IN ('AI_VECTOR_CORE', 'AIV') THEN 'vector'
      WHEN upper(core) IN ('MIX_AIC', 'MIX_AIV') THEN
        CASE
          WHEN coalesce(aiv_time, 0) > coalesce(aicore_time, 0) THEN 'vector'
          ELSE 'cube'
        END
      -- The older chips have one kind of core, with all units in it.
      WHEN aiv_time IS NULL AND aiv_vec_ratio IS NOT NULL THEN 'core'
      ELSE 'cube'
    END AS side
  FROM kernel
  WHERE upper(core) NOT IN (
    'AI_CPU', 'DSA', 'DSA_SQE', 'DVPP', 'COMMUNICATION', 'HCCL', 'HCCL_AI_CPU',
    'CCU'
  ) IS NOT FALSE
), measured AS (
  SELECT
    *,
    CASE WHEN side IN ('cube', 'core') THEN aic_mac_ratio END AS mac_ratio,
    CASE WHEN side IN ('vector', 'core') THEN aiv_vec_ratio END AS vec_ratio,
    CASE WHEN side IN ('cube', 'core') THEN aic_mte1_ratio END AS mte1_ratio,
    CASE side WHEN 'vector' THEN aiv_mte2_ratio ELSE aic_mte2_ratio END
      AS mte2_ratio,
    CASE WHEN side IN ('vector', 'core') THEN aiv_mte3_ratio END AS mte3_ratio,
    CASE WHEN side = 'cube' THEN aic_fixpipe_ratio END AS fixpipe_ratio,
    CASE side WHEN 'vector' THEN aiv_scalar_ratio ELSE aic_scalar_ratio END
      AS scalar_ratio
  FROM sided
), led AS (
  SELECT
    *,
    greatest(
      mac_ratio, vec_ratio, mte1_ratio, mte2_ratio, mte3_ratio, fixpipe_ratio,
      scalar_ratio
    ) AS busiest_ratio,
    greatest(mac_ratio, vec_ratio) AS computed,
    CASE side
      WHEN 'vector' THEN greatest(mte2_ratio, mte3_ratio)
      ELSE mte2_ratio
    END AS moved
  FROM measured
)
SELECT
  *,
  CASE busiest_ratio
    WHEN mac_ratio THEN 'mac'
    WHEN vec_ratio THEN 'vec'
    WHEN mte1_ratio THEN 'mte1'
    WHEN mte2_ratio THEN 'mte2'
    WHEN mte3_ratio THEN 'mte3'
    WHEN fixpipe_ratio THEN 'fixpipe'
    WHEN scalar_ratio THEN 'scalar'
  END AS busiest
FROM led
