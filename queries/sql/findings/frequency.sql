-- title:   Slow calls at a low frequency
-- about:   Kernels in the judged steps that began while the counter AI Core
--          Freq was least_drop or more below the frequency at which the rank's
--          kernels ran longest, and that took as much longer than the median of
--          calls like them at that one: ns is what they take more.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   least_drop DOUBLE     share of the frequency, and of the length
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, kernels BIGINT, samples BIGINT, lowest_mhz BIGINT,
--          usual_mhz BIGINT
-- needs:   counter_series, counter, kernel, kernel_shape, judged_step
WITH low AS (
  SELECT
    k.*,
    j.steps,
    j.period,
    coalesce(k.dur >= k.usual_dur * (1 + $least_drop), FALSE) AS is_slower
  FROM clocked_kernels($rank, $step, $least_drop) AS k
  JOIN judged($rank, $step) AS j ON j.rank = k.rank AND j.step = k.step
)
SELECT
  'frequency_drop' AS rule,
  NULL::VARCHAR AS variant,
  rank,
  device_id,
  (arg_max(step, by_length(dur, kernel_id)) FILTER (is_slower)) AS step,
  any_value(steps) AS steps,
  (sum(dur - usual_dur) FILTER (is_slower))::BIGINT AS ns,
  any_value(period) AS period,
  (arg_max(ts, by_length(dur, kernel_id)) FILTER (is_slower)) AS ts,
  (max(dur) FILTER (is_slower)) AS dur,
  array_to_string(
    arg_max(slice_id, by_length(dur, kernel_id), 5)
      FILTER (is_slower AND slice_id IS NOT NULL),
    ' '
  ) AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  count(*) FILTER (is_slower) AS count,
  count(*) AS kernels,
  any_value(samples)::BIGINT AS samples,
  min(mhz)::BIGINT AS lowest_mhz,
  any_value(usual_mhz)::BIGINT AS usual_mhz
FROM low
GROUP BY rank, device_id
HAVING count(*) FILTER (is_slower) > 0
ORDER BY rank, device_id
