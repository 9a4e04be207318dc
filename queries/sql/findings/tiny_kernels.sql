-- title:   Kernels that are shorter than their launch
-- about:   Kernels of the judged steps that take less time than lies between
--          two launches of this profile (launch_ns, the median) and that a
--          device which the host kept waiting ran at once: ns is the idle
--          time before them in which the host enqueued and launched.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, kernels BIGINT, launch_ns BIGINT, kernels_ns BIGINT,
--          name VARCHAR, name_count BIGINT
-- needs:   stall, judged_step, step, kernel, launch_pace
WITH run AS (
  SELECT k.*, p.launch_ns, j.steps, j.period
  FROM kernel AS k
  JOIN judged($rank, $step) AS j ON j.rank = k.rank AND j.step = k.step
  JOIN launch_pace AS p ON p.rank = k.rank
  WHERE NOT communicates(k.core)
), every AS (
  SELECT rank, device_id, count(*) AS kernels
  FROM run
  GROUP BY rank, device_id
), hit AS (
  SELECT r.*, s.dur AS stalled
  FROM run AS r
  JOIN (
    SELECT next_slice_id, sum(dur)::BIGINT AS dur
    FROM stall
    WHERE state = 'idle'
      -- A pause, a wait or a replay before it is not made shorter by fusing it.
      AND cause IN ('host_framework', 'host_launch')
    GROUP BY next_slice_id
  ) AS s ON s.next_slice_id = r.slice_id
  WHERE r.dur < r.launch_ns
), named AS (
  SELECT
    rank,
    device_id,
    coalesce(type, name) AS name,
    any_value(steps) AS steps,
    any_value(period) AS period,
    any_value(launch_ns) AS launch_ns,
    count(*) AS count,
    sum(dur) AS dur,
    sum(stalled) AS stalled,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'stalled': stalled},
      (stalled, -kernel_id)
    ) AS longest,
    arg_max(slice_id, (stalled, -kernel_id)) AS shown
  FROM hit
  GROUP BY rank, device_id, coalesce(type, name)
)
SELECT
  'tiny_kernels' AS rule,
  NULL::VARCHAR AS variant,
  n.rank,
  n.device_id,
  arg_max(n.longest.step, (n.longest.stalled, -n.longest.ts)) AS step,
  any_value(n.steps) AS steps,
  sum(n.stalled)::BIGINT AS ns,
  any_value(n.period) AS period,
  arg_max(n.longest.ts, (n.longest.stalled, -n.longest.ts)) AS ts,
  arg_max(n.longest.dur, (n.longest.stalled, -n.longest.ts)) AS dur,
  array_to_string(
    arg_max(n.shown, (n.stalled, -n.shown), 5), ' '
  ) AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  sum(n.count)::BIGINT AS count,
  any_value(e.kernels) AS kernels,
  any_value(n.launch_ns) AS launch_ns,
  sum(n.dur)::BIGINT AS kernels_ns,
  arg_max(n.name, (n.count, n.name)) AS name,
  max(n.count) AS name_count
FROM named AS n
JOIN every AS e
  ON e.rank = n.rank AND e.device_id IS NOT DISTINCT FROM n.device_id
GROUP BY n.rank, n.device_id
ORDER BY n.rank, n.device_id
