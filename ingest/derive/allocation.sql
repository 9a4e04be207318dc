-- table: allocation
-- about: What operators took of the device's memory, with the step in which the
--        host took it, or whose period holds that where the host has no marks.
--        The graph engine marks its own in profiles of the framework;
--        msprof knows of no other.
WITH numbered AS (
  SELECT
    *,
    row_number() OVER () - 1 AS number,
    try_cast(
      nullif(
        regexp_extract(trim(device), '^(NPU[:\s]*)?([0-9]{1,5})$', 2, 'i'), ''
      ) AS INTEGER
    ) AS device_id
  FROM read_allocation
), during AS (
  SELECT
    step,
    coalesce(host_ts, ts) AS ts,
    coalesce(host_ts + host_dur, ts + dur) AS end_ts
  FROM step
  WHERE dur > 0
)
SELECT
  $base + a.number AS allocation_id,
  $rank::INTEGER AS rank,
  a.device_id,
  CASE
    WHEN $producer = 'msprof' OR starts_with(a.name, 'cann::') THEN 'GE'
    WHEN $producer = 'mindspore' THEN 'MindSpore'
    ELSE 'PTA'
  END AS component,
  a.name,
  a.bytes,
  CASE WHEN a.ts < s.end_ts THEN s.step END AS step,
  a.ts,
  a.release_ts,
  a.active_release_ts,
  a.allocated,
  a.reserved,
  a.active,
  a.release_allocated,
  a.release_reserved,
  a.release_active,
  a.stream_ptr
FROM numbered AS a
ASOF LEFT JOIN during AS s ON a.ts >= s.ts
ORDER BY a.ts, a.number
