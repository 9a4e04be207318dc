-- table: plane_task
-- about: What the planes of each collective did: moves of data and waits, with
--        this rank and the peer as the group numbers them.
WITH opened AS (
  SELECT p.slice_id, l.device_id, l.group_name, p.ts, p.ts + p.dur AS end_ts
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'group'
), tasks AS (
  SELECT
    p.slice_id, l.device_id, l.group_name, p.ts, p.ts + p.dur AS end_ts, p.dur,
    p.class = 'communication' AS moves,
    p.name,
    p.arg_set_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind = 'plane' AND p.class IN ('communication', 'wait')
), args AS (
  SELECT
    arg_set_id,
    json_extract_string(args, [
      '$."src rank"', '$."dst rank"', '$."size(Byte)"', '$."transport type"',
      '$."link type"'
    ]) AS found
  FROM slice_arg
  WHERE arg_set_id IN (SELECT arg_set_id FROM tasks) AND json_valid(args)
), numbers AS (
  SELECT
    arg_set_id,
    try_cast(found[1] AS BIGINT) AS src,
    try_cast(found[2] AS BIGINT) AS dst,
    try_cast(found[3] AS BIGINT) AS bytes,
    nullif(found[4], 'INVALID_TYPE') AS transport,
    nullif(found[5], 'INVALID_TYPE') AS link
  FROM args
)
SELECT
  t.slice_id,
  o.slice_id AS collective_slice_id,
  t.device_id,
  t.group_name,
  t.ts,
  t.end_ts,
  t.dur,
  t.moves,
  t.name,
  CASE WHEN a.src BETWEEN 0 AND 2147483647 THEN a.src::INTEGER END AS own_number,
  -- 2^32 - 1 stands for this rank itself.
  CASE WHEN a.dst BETWEEN 0 AND 2147483647 THEN a.dst::INTEGER END AS number,
  a.bytes,
  a.transport,
  a.link
FROM tasks AS t
ASOF JOIN opened AS o
  ON t.device_id IS NOT DISTINCT FROM o.device_id
  AND t.group_name IS NOT DISTINCT FROM o.group_name
  AND t.ts >= o.ts
LEFT JOIN numbers AS a USING (arg_set_id)
WHERE t.ts < o.end_ts
