-- table: order_link
-- about: Launches of a timeline that joins no task to its launch, neither by arrow nor
--        by a number that both have: the n-th launch that names a kernel goes with the n-th
--        kernel of that name; of launches without names, as many as kernels, the
--        n-th with the n-th. A launch that came after its kernel shows that the order
--        is not kept: then no kernel of that name has one. The clocks of host and
--        device may be some microseconds apart.
WITH joined AS (
  SELECT EXISTS (
    FROM flow
    WHERE category IN ('HostToDevice', 'acl_to_npu', 'ac2g', 'async_npu')
      AND src_ts IS NOT NULL AND dst_slice_id IS NOT NULL
  ) OR EXISTS (
    FROM placed AS p
    JOIN host_thread AS t USING (track_id)
    WHERE p.connection_id IS NOT NULL AND t.kind = 'cann'
  ) OR EXISTS (FROM correlation) AS known
), calls AS (
  SELECT p.slice_id, p.track_id, p.ts, p.arg_set_id
  FROM placed AS p
  JOIN host_role AS r USING (pattern)
  WHERE r.launches AND NOT (SELECT known FROM joined)
), named AS (
  SELECT
    c.slice_id, c.track_id, c.ts,
    CASE WHEN json_valid(a.args) THEN
      nullif(json_extract_string(a.args, '$.item_id'), '0')
    END AS name
  FROM calls AS c
  LEFT JOIN (
    SELECT arg_set_id, args FROM slice_arg
    WHERE arg_set_id IN (SELECT arg_set_id FROM calls)
  ) AS a USING (arg_set_id)
), launches AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY name ORDER BY ts, slice_id) AS place,
    count(*) OVER (PARTITION BY name) AS times
  FROM named
), tasks AS (
  SELECT p.slice_id, p.ts, n.text AS name
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  WHERE l.kind = 'stream'
    AND p.class IN ('compute', 'mc2')
    AND EXISTS (FROM calls)
), kernels AS (
  SELECT slice_id, ts, name, row_number() OVER w AS place, count(*) OVER (PARTITION BY name) AS times
  FROM tasks
  WHERE EXISTS (FROM named WHERE name IS NOT NULL)
  WINDOW w AS (PARTITION BY name ORDER BY ts, slice_id)
  UNION ALL
  SELECT slice_id, ts, NULL, row_number() OVER (ORDER BY ts, slice_id), count(*) OVER ()
  FROM tasks
  WHERE NOT EXISTS (FROM named WHERE name IS NOT NULL)
), pairs AS (
  SELECT
    k.slice_id,
    h.slice_id AS host_slice_id,
    h.track_id AS host_track_id,
    h.ts AS launch_ts,
    bool_and(h.ts <= k.ts + 50000) OVER (PARTITION BY k.name) AS in_order
  FROM kernels AS k
  JOIN launches AS h
    ON k.name IS NOT DISTINCT FROM h.name AND k.place = h.place AND k.times = h.times
)
SELECT slice_id, host_slice_id, host_track_id, launch_ts
FROM pairs
WHERE in_order
