-- title:   Blocks that do not fill the cores
-- about:   Kernels in the judged steps whose rounds of blocks fill less than
--          least_efficiency of the cores: ns is their time by which they do
--          not, an upper bound. cores are those of the longest of them.
-- param:   rank INTEGER = NULL        only this rank
-- param:   step INTEGER = NULL        only this step
-- param:   least_efficiency DOUBLE    share of filled cores that is enough
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, names VARCHAR, total_ns BIGINT, type VARCHAR,
--          blocks INTEGER, cores INTEGER
-- needs:   block_kernel, judged_step
WITH typed AS (
  SELECT
    b.rank,
    b.device_id,
    b.type,
    any_value(j.steps) AS steps,
    any_value(j.period) AS period,
    count(*) AS count,
    sum(b.dur) AS total,
    sum((b.dur * (1 - b.efficiency))::BIGINT) AS lost,
    arg_max(
      {
        'step': b.step, 'ts': b.ts, 'dur': b.dur, 'id': b.kernel_id,
        'type': b.type, 'blocks': b.block_num, 'cores': b.cores,
        'inferred': b.cores_inferred
      },
      (b.dur, -b.kernel_id)
    ) AS longest,
    arg_max(b.slice_id, (b.dur, -b.kernel_id)) AS shown
  FROM block_kernel AS b
  JOIN judged($rank, $step) AS j ON j.rank = b.rank AND j.step = b.step
  WHERE b.efficiency < $least_efficiency
  GROUP BY b.rank, b.device_id, b.type
), total AS (
  SELECT
    rank,
    device_id,
    any_value(steps) AS steps,
    any_value(period) AS period,
    sum(count)::BIGINT AS count,
    sum(total) AS total,
    sum(lost) AS lost,
    arg_max(longest, (longest.dur, -longest.id)) AS longest,
    arg_max(shown, (lost, -shown), 5) FILTER (shown IS NOT NULL) AS evidence,
    array_to_string(arg_max(type, (lost, type), 3), ', ') AS names
  FROM typed
  GROUP BY rank, device_id
)
SELECT
  'small_blocks' AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  longest.step AS step,
  steps,
  lost::BIGINT AS ns,
  period,
  longest.ts AS ts,
  longest.dur AS dur,
  array_to_string(evidence, ' ') AS evidence,
  longest.inferred AS inferred,
  NULL::VARCHAR AS missing,
  count,
  names,
  total::BIGINT AS total_ns,
  longest.type AS type,
  longest.blocks AS blocks,
  longest.cores::INTEGER AS cores
FROM total
ORDER BY rank, device_id
