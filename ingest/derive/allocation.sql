-- table: allocation
-- about: What operators took of the device's memory, with the step in whose period
--        they took it. The graph engine marks its own in profiles of the framework;
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
  CASE WHEN a.ts < s.ts + s.dur THEN s.step END AS step,
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
ASOF LEFT JOIN (SELECT step, ts, dur FROM step WHERE dur > 0) AS s
  ON a.ts >= s.ts
ORDER BY a.ts, a.number
