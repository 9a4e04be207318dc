-- title:   Frequency of the AI cores
-- about:   At which frequency kernels ran, by the counter AI Core Freq (of
--          the slowest die), and whether they were slower for it. usual_mhz is
--          the frequency at
--          which kernels ran longest in this run; low frequencies lie
--          least_drop or more below it. Calls of the same type, shapes, types
--          and blocks are compared with their median at the usual frequency:
--          slower are those that take least_drop longer, slower_ns what they
--          take more. samples is how many values the counter has: it is
--          written when it changes, or seldom. Where it says nothing of some
--          kernels, their mhz is NULL: then it cannot be told.
-- param:   rank INTEGER = NULL          only this rank
-- param:   step INTEGER = NULL          only this step
-- param:   least_drop DOUBLE = 0.05 <= 1  share below the usual that is low
-- param:   limit BIGINT = NULL          so many rows
-- columns: rank INTEGER, mhz DOUBLE, usual_mhz DOUBLE, low BOOLEAN,
--          samples BIGINT, count BIGINT, total BIGINT, compared BIGINT,
--          slower BIGINT, slower_ns BIGINT, longest BIGINT,
--          longest_ts BIGINT, longest_kernel_id BIGINT
-- needs:   counter_series, counter, kernel, kernel_shape
WITH scoped AS (
  SELECT *, mhz <= usual_mhz * (1 - $least_drop) AS low
  FROM clocked_kernels($rank, $step, NULL)
), judged AS (
  SELECT *, low AND dur >= usual_dur * (1 + $least_drop) AS is_slower
  FROM scoped
)
SELECT
  rank,
  mhz,
  any_value(usual_mhz) AS usual_mhz,
  any_value(low) AS low,
  any_value(samples)::BIGINT AS samples,
  count(*) AS count,
  sum(dur)::BIGINT AS total,
  count(usual_dur) AS compared,
  CASE WHEN mhz IS NOT NULL THEN count(*) FILTER (is_slower) END AS slower,
  CASE WHEN mhz IS NOT NULL THEN
    coalesce(sum(dur - usual_dur) FILTER (is_slower), 0)::BIGINT
  END AS slower_ns,
  max(dur) AS longest,
  arg_max(ts, by_length(dur, kernel_id)) AS longest_ts,
  arg_max(kernel_id, by_length(dur, kernel_id)) AS longest_kernel_id
FROM judged
GROUP BY rank, mhz
ORDER BY rank, low DESC NULLS LAST, slower_ns DESC NULLS LAST, mhz
LIMIT $limit
