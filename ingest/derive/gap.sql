-- table: gap
-- about: The gaps of the devices, each with the step that holds its middle and what
--        takes most of its time.
WITH parts AS (
  SELECT gap_id, device_id, ts, dur, cause, evidence_slice_id, inferred,
    CASE state WHEN 'waiting_event' THEN dur ELSE 0 END AS wait_ns,
    CASE state WHEN 'idle' THEN dur ELSE 0 END AS idle_ns
  FROM stall
  UNION ALL
  SELECT
    NULL, device_id, ts, end_ts - ts,
    [NULL, NULL, 'aicpu', 'transferring', 'copying', NULL, NULL, 'collective_other'][state],
    NULL, false, 0, 0
  FROM device_segment
  WHERE state IN (3, 4, 5, 8)
), held AS (
  SELECT * EXCLUDE (device_id)
  FROM parts
  WHERE gap_id IS NOT NULL
  UNION ALL
  SELECT g.gap_id, p.* EXCLUDE (gap_id, device_id)
  FROM parts AS p
  ASOF JOIN (FROM numbered_gap WHERE kind = 'compute') AS g
    ON p.device_id IS NOT DISTINCT FROM g.device_id AND p.ts >= g.ts
  WHERE p.ts < g.end_ts
), parted AS (
  SELECT
    gap_id,
    count(*) AS parts,
    any_value(cause) AS cause,
    any_value(evidence_slice_id) AS evidence_slice_id,
    any_value(inferred) AS inferred,
    sum(wait_ns)::BIGINT AS wait_ns,
    sum(idle_ns)::BIGINT AS idle_ns
  FROM held
  GROUP BY gap_id
), causes AS (
  -- Most gaps are of one part: it is looked for what takes most of the others alone.
  SELECT
    gap_id,
    cause,
    sum(dur)::BIGINT AS dur,
    min(ts) AS ts,
    -- Of equal ones the first: one number is compared faster than two.
    arg_max_null(evidence_slice_id, (dur::HUGEINT << 64) - ts) AS evidence_slice_id,
    bool_or(inferred) AS inferred
  FROM held
  SEMI JOIN (FROM parted WHERE parts > 1) AS p USING (gap_id)
  GROUP BY gap_id, cause
), most AS (
  SELECT
    gap_id,
    arg_max(
      {'cause': cause, 'evidence_slice_id': evidence_slice_id, 'inferred': inferred},
      -- Of equal ones the first here, too.
      (dur::HUGEINT << 64) - ts
    ) AS main
  FROM causes
  GROUP BY gap_id
), told AS (
  SELECT
    p.* EXCLUDE (parts)
      REPLACE (
        CASE WHEN p.parts > 1 THEN m.main.cause ELSE p.cause END AS cause,
        CASE WHEN p.parts > 1 THEN m.main.evidence_slice_id ELSE p.evidence_slice_id END
          AS evidence_slice_id,
        CASE WHEN p.parts > 1 THEN m.main.inferred ELSE p.inferred END AS inferred
      )
  FROM parted AS p
  LEFT JOIN most AS m USING (gap_id)
), placed_gap AS (
  SELECT *, ts + (end_ts - ts) // 2 AS middle FROM numbered_gap
)
SELECT
  g.gap_id,
  $rank::INTEGER AS rank,
  g.device_id,
  g.kind,
  CASE WHEN g.middle < p.ts + p.dur THEN p.step END AS step,
  g.ts,
  g.end_ts - g.ts AS dur,
  coalesce(t.wait_ns, 0) AS wait_ns,
  coalesce(t.idle_ns, 0) AS idle_ns,
  g.prev_slice_id,
  g.next_slice_id,
  t.cause,
  t.evidence_slice_id,
  t.inferred,
  coalesce(s.ts >= g.ts, false) AS step_boundary
FROM placed_gap AS g
LEFT JOIN told AS t USING (gap_id)
ASOF LEFT JOIN step_period AS p ON g.middle >= p.ts
ASOF LEFT JOIN step_period AS s ON g.end_ts > s.ts
ORDER BY g.gap_id
