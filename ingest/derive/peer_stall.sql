-- table: peer_stall
-- about: The time in the states waiting_peer (6) and waiting_stage (7), cut where
--        the peers change that a collective waits for by an open wait task, each
--        stretch with the peer that alone is missing, and with the wait for it.
WITH named AS (
  SELECT
    "group",
    number,
    peer,
    inferred,
    -- Several groups may wait for one rank; a number without a rank is a peer of its own.
    coalesce(peer, -row_number() OVER (ORDER BY "group", number)) AS key
  FROM group_member
), waits AS (
  SELECT
    t.device_id, n.key, t.ts, t.end_ts, t.slice_id,
    max(t.end_ts) OVER (
      PARTITION BY t.device_id, n.key ORDER BY t.ts, t.slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reach
  FROM plane_task AS t
  JOIN named AS n
    ON t.group_name IS NOT DISTINCT FROM n."group" AND t.number = n.number
  WHERE NOT t.moves AND t.end_ts > t.ts
), numbered AS (
  SELECT
    *,
    -- A filter on a running count would be worked out anew for every row.
    sum(CASE WHEN reach >= ts THEN 0 ELSE 1 END) OVER (
      PARTITION BY device_id, key ORDER BY ts, slice_id
      ROWS UNBOUNDED PRECEDING
    ) AS island
  FROM waits
), missing AS (
  -- What several wait tasks say of one peer counts once.
  SELECT
    device_id, key, min(ts) AS ts, max(end_ts) AS end_ts,
    arg_min(slice_id, (ts, slice_id)) AS slice_id
  FROM numbered
  GROUP BY device_id, key, island
), changes AS (
  SELECT device_id, ts AS edge, state::BIGINT AS state, 0 AS peers, 0 AS key, 0 AS slice_id
  FROM device_segment
  WHERE state IN (6, 7)
  UNION ALL
  SELECT device_id, end_ts, -state::BIGINT, 0, 0, 0
  FROM device_segment
  WHERE state IN (6, 7)
  UNION ALL
  SELECT device_id, ts, 0, 1, key, slice_id FROM missing
  UNION ALL
  SELECT device_id, end_ts, 0, -1, -key, -slice_id FROM missing
), running AS (
  -- Counted up to and with all changes of the instant, as in device_segment.
  SELECT
    device_id,
    edge AS ts,
    lead(edge) OVER w AS end_ts,
    sum(state) OVER w AS state,
    sum(peers) OVER w AS peers,
    sum(key) OVER w AS key,
    sum(slice_id) OVER w AS slice_id
  FROM changes
  WINDOW w AS (PARTITION BY device_id ORDER BY edge)
), opened AS (
  SELECT l.device_id, p.ts, p.ts + p.dur AS end_ts, p.slice_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'group'
), stretches AS (
  SELECT
    r.device_id,
    r.ts,
    r.end_ts,
    r.state::UTINYINT AS state,
    CASE r.peers WHEN 0 THEN 'none' WHEN 1 THEN 'one' ELSE 'several' END AS missing,
    CASE WHEN r.peers = 1 THEN r.key::BIGINT END AS key,
    CASE
      WHEN r.peers = 1 THEN r.slice_id::BIGINT
      WHEN o.end_ts >= r.end_ts THEN o.slice_id
    END AS evidence_slice_id
  FROM running AS r
  ASOF LEFT JOIN opened AS o
    ON r.device_id IS NOT DISTINCT FROM o.device_id AND r.ts >= o.ts
  WHERE r.state > 0 AND r.end_ts > r.ts
)
SELECT
  w.device_id,
  w.ts,
  w.end_ts,
  w.state,
  CASE
    WHEN n.peer IS NOT NULL THEN 'rank ' || n.peer
    WHEN n.number IS NOT NULL THEN 'peer ' || n.number
    WHEN w.missing = 'several' THEN 'several ranks'
    ELSE 'unknown'
  END AS cause,
  n.peer,
  w.evidence_slice_id,
  coalesce(n.inferred, false) AS inferred
FROM stretches AS w
LEFT JOIN (
  SELECT key, any_value(peer) AS peer, any_value(number) AS number, bool_or(inferred) AS inferred
  FROM named
  GROUP BY key
) AS n USING (key)
