-- table: gap
-- about: Maximal stretches between two device tasks in which no compute,
--        communication or copy runs.
WITH marked AS (
  SELECT
    *,
    state NOT IN ('waiting_event', 'idle') AS busy
  FROM device_segment
), numbered AS (
  SELECT
    *,
    sum(busy::BIGINT) OVER (
      PARTITION BY device_id ORDER BY ts ROWS UNBOUNDED PRECEDING
    ) AS island
  FROM marked
), inner_stretches AS (
  -- Neither before the first task nor after the last.
  SELECT *
  FROM numbered
  QUALIFY island > 0 AND island < max(island) OVER (PARTITION BY device_id)
), gaps AS (
  SELECT
    device_id,
    island,
    min(ts) AS ts,
    max(end_ts) AS end_ts,
    coalesce(sum(end_ts - ts) FILTER (state = 'waiting_event'), 0)::BIGINT
      AS wait_ns
  FROM inner_stretches
  WHERE NOT busy
  GROUP BY device_id, island
), before AS (
  SELECT device_id, end_ts, arg_min(slice_id, (state, slice_id)) AS slice_id
  FROM device_span WHERE state <> 9 GROUP BY device_id, end_ts
), after AS (
  SELECT device_id, ts, arg_min(slice_id, (state, slice_id)) AS slice_id
  FROM device_span WHERE state <> 9 GROUP BY device_id, ts
)
SELECT
  $base + row_number() OVER (ORDER BY g.ts, g.device_id) - 1 AS gap_id,
  $rank::INTEGER AS rank,
  g.device_id,
  'device' AS kind,
  CASE WHEN g.middle < p.ts + p.dur THEN p.step END AS step,
  g.ts,
  g.end_ts - g.ts AS dur,
  g.wait_ns,
  g.end_ts - g.ts - g.wait_ns AS idle_ns,
  b.slice_id AS prev_slice_id,
  a.slice_id AS next_slice_id,
  NULL::VARCHAR AS cause,
  NULL::BIGINT AS evidence_slice_id,
  NULL::BOOLEAN AS inferred,
  coalesce(s.ts >= g.ts, false) AS step_boundary
FROM (SELECT *, ts + (end_ts - ts) // 2 AS middle FROM gaps) AS g
ASOF LEFT JOIN step_period AS p ON g.middle >= p.ts
ASOF LEFT JOIN step_period AS s ON g.end_ts > s.ts
LEFT JOIN before AS b
  ON g.device_id IS NOT DISTINCT FROM b.device_id AND g.ts = b.end_ts
LEFT JOIN after AS a
  ON g.device_id IS NOT DISTINCT FROM a.device_id AND g.end_ts = a.ts
ORDER BY g.ts, g.device_id
