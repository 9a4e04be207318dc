-- table: collective
-- about: Collectives with what their planes did: time in which data moved, time
--        in which planes only waited for peers.
WITH opened AS (
  SELECT
    p.slice_id, p.track_id, l.device_id, l.group_name, n.text AS name, p.ts,
    p.ts + p.dur AS end_ts, p.dur, p.arg_set_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE l.kind = 'group'
), args AS (
  SELECT
    arg_set_id,
    try_cast(json_extract_string(args, '$.count') AS BIGINT) AS count,
    json_extract_string(args, '$.data_type') AS data_type
  FROM slice_arg
  WHERE arg_set_id IN (SELECT arg_set_id FROM opened) AND json_valid(args)
), waits AS (
  SELECT collective_slice_id, number, peer, wait_ns
  FROM peer_wait
), last AS (
  SELECT
    collective_slice_id,
    arg_max(number, (wait_ns, -number)) AS number,
    arg_max({'peer': peer}, (wait_ns, -number)).peer AS peer
  FROM waits GROUP BY collective_slice_id
), changes AS (
  SELECT collective_slice_id, ts AS edge, moves, 1 AS delta FROM plane_task
  UNION ALL
  SELECT collective_slice_id, end_ts, moves, -1 FROM plane_task
), stretches AS (
  SELECT
    collective_slice_id,
    lead(edge) OVER w - edge AS dur,
    sum(delta * moves::BIGINT) OVER w AS moving,
    sum(delta * (NOT moves)::BIGINT) OVER w AS waiting
  FROM changes
  WINDOW w AS (
    PARTITION BY collective_slice_id ORDER BY edge, delta DESC
    ROWS UNBOUNDED PRECEDING
  )
), planes AS (
  SELECT
    collective_slice_id,
    coalesce(sum(dur) FILTER (moving > 0), 0)::BIGINT AS transfer_ns,
    coalesce(sum(dur) FILTER (
      waiting > 0 AND moving = 0
    ), 0)::BIGINT AS wait_ns
  FROM stretches
  GROUP BY collective_slice_id
), counted AS (
  SELECT
    $base + row_number() OVER (ORDER BY o.ts, o.slice_id) - 1 AS collective_id,
    $rank::INTEGER AS rank,
    o.device_id,
    o.slice_id,
    coalesce(m.step, CASE WHEN o.ts < d.ts + d.dur THEN d.step END) AS step,
    o.name,
    o.group_name AS "group",
    try_cast(a.count::HUGEINT * w.bytes AS BIGINT) AS bytes,
    o.ts,
    o.dur,
    p.transfer_ns,
    p.wait_ns,
    e.exposed_ns,
    CASE WHEN p.transfer_ns IS NOT NULL THEN e.exposed_transfer_ns END
      AS exposed_transfer_ns,
    CASE WHEN p.wait_ns IS NOT NULL THEN e.exposed_wait_ns END AS exposed_wait_ns,
    l.peer AS last_peer,
    l.number AS last_number
  FROM opened AS o
  LEFT JOIN step_member AS m USING (slice_id)
  ASOF LEFT JOIN step_period AS d ON o.ts >= d.ts
  LEFT JOIN args AS a ON o.arg_set_id = a.arg_set_id
  LEFT JOIN data_type_width AS w ON a.data_type = w.data_type
  LEFT JOIN planes AS p ON p.collective_slice_id = o.slice_id
  LEFT JOIN exposed_collective AS e USING (slice_id)
  LEFT JOIN last AS l ON l.collective_slice_id = o.slice_id
), matched AS (
  SELECT
    *,
    -- hcom_allReduce__586_0_1: the last digits of the group's hash.
    concat_ws(
      '_', "group", nullif(regexp_extract(name, '^hcom_\w*?__(\d+)_', 1), '')
    ) AS communicator,
    row_number() OVER (
      PARTITION BY device_id, "group", step, name ORDER BY collective_id
    ) AS nth
  FROM counted
)
SELECT
  *,
  -- By a sum that every version makes alike.
  (md5_number_lower(concat_ws(' ', communicator, coalesce(step, -1), name, nth)) >> 1)::BIGINT
    AS match_key
FROM matched
ORDER BY collective_id
