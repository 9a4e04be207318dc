-- table: drawn_kernel
-- about: Without a kernel table: what the task lanes show of the device's operators.
WITH shown AS (
  -- What makes a kernel of a slice, its name by its place among the names: sorting
  -- texts is slow.
  SELECT
    m.pattern,
    l.device_id,
    CASE n.text WHEN 'N/A' THEN '' ELSE n.text END AS name,
    CASE WHEN l.kind = 'group' THEN 'COMMUNICATION' ELSE m.task END AS core,
    upper(core) IN ('AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV') AS clocked,
    dense_rank() OVER (ORDER BY n.text) AS place,
    dense_rank() OVER (ORDER BY name, core) - 1 AS shape
  FROM pattern AS m
  JOIN lane AS l USING (lane)
  JOIN word AS n ON m.name_code = n.code
  WHERE (l.kind = 'group' OR (l.kind = 'stream' AND m.class IN ('compute', 'mc2')))
    AND NOT EXISTS (FROM kernel_row)
), ordered AS (
  SELECT
    p.slice_id, k.device_id, s.step, k.name, k.core, p.ts, p.dur, p.stream_id, p.task_id,
    $base + k.shape AS shape_id,
    CASE WHEN k.clocked THEN f.mhz END AS mhz
  FROM placed AS p
  JOIN shown AS k USING (pattern)
  LEFT JOIN step_member AS s USING (slice_id)
  ASOF LEFT JOIN frequency AS f ON p.ts >= f.ts
  ORDER BY p.ts, k.place, p.slice_id
)
SELECT $base + row_number() OVER () - 1 AS kernel_id, $rank::INTEGER AS rank, *
FROM ordered
