-- table: copy
-- about: Copies of the device outside collectives. Where the file does not say
--        which way and how much, the framework's operator around the call does:
--        the shape of what aten::copy_ was called with. A copy blocks if its call
--        waits itself, or if its thread waited before it launched anything else.
--        Of a blocking copy from the host, the time in which neither the call nor
--        its stream was busy before it began went into staging.
WITH tasks AS (
  SELECT
    p.slice_id,
    p.track_id,
    l.device_id,
    p.ts,
    p.ts + p.dur AS end_ts,
    p.arg_set_id,
    m.task,
    n.text AS name,
    k.host_slice_id,
    coalesce(k.enqueue_slice_id, k.host_slice_id) AS call_slice_id,
    k.enqueue_slice_id,
    k.launch_end
  FROM placed AS p
  JOIN pattern AS m USING (pattern)
  JOIN lane AS l USING (track_id)
  JOIN word AS n ON p.name = n.code
  LEFT JOIN communication_stream AS c
    ON l.device_id IS NOT DISTINCT FROM c.device_id
    AND l.stream_id = c.stream_id
  LEFT JOIN launch_link AS k USING (slice_id)
  WHERE l.kind = 'stream' AND p.class = 'copy' AND c.device_id IS NULL
    AND c.stream_id IS NULL
), around AS (
  SELECT DISTINCT enqueue_slice_id AS call_slice_id, enqueue_slice_id AS slice_id, 0 AS up
  FROM tasks
  WHERE enqueue_slice_id IS NOT NULL
), inner_call AS (
  SELECT a.call_slice_id, n.parent_id AS slice_id
  FROM around AS a JOIN nesting AS n USING (slice_id)
  WHERE n.parent_id IS NOT NULL
), outer_call AS (
  SELECT a.call_slice_id, n.parent_id AS slice_id
  FROM inner_call AS a JOIN nesting AS n USING (slice_id)
  WHERE n.parent_id IS NOT NULL
), framework AS (
  -- Enqueue stands in the call that moves, and that in the operator.
  SELECT
    i.call_slice_id,
    w.text AS call_name,
    o.slice_id AS operator_slice_id,
    v.text AS operator_name,
    q.arg_set_id
  FROM inner_call AS i
  JOIN placed AS p ON i.slice_id = p.slice_id
  JOIN word AS w ON p.name = w.code
  LEFT JOIN outer_call AS o ON i.call_slice_id = o.call_slice_id
  LEFT JOIN placed AS q ON o.slice_id = q.slice_id
  LEFT JOIN word AS v ON q.name = v.code
), args AS (
  SELECT arg_set_id, args
  FROM slice_arg
  WHERE arg_set_id IN (
    SELECT arg_set_id FROM tasks
    UNION ALL
    SELECT arg_set_id FROM framework WHERE operator_name = 'aten::copy_'
  ) AND json_valid(args)
), shaped AS (
  SELECT
    f.call_slice_id,
    f.call_name,
    f.operator_slice_id,
    f.operator_name = 'aten::copy_' AS copies,
    list_transform(
      string_split(
        string_split(json_extract_string(a.args, '$."Input Dims"'), ';')[1], ','
      ),
      lambda x: try_cast(trim(x) AS BIGINT)
    ) AS dims,
    b.bytes
  FROM framework AS f
  LEFT JOIN args AS a ON f.arg_set_id = a.arg_set_id
  LEFT JOIN framework_type AS b
    ON trim(string_split(
      json_extract_string(a.args, '$."Input type"'), ';'
    )[1]) = b.type
), told AS (
  SELECT
    t.*,
    s.operator_slice_id,
    s.call_name,
    coalesce(
      try_cast(json_extract_string(a.args, '$."data size(Byte)"') AS BIGINT),
      try_cast(json_extract_string(a.args, '$."size(B)"') AS BIGINT),
      try_cast(json_extract_string(a.args, '$.bytes') AS BIGINT)
    ) AS file_bytes,
    CASE
      WHEN s.copies AND list_count(s.dims) = len(s.dims)
        AND list_aggregate(s.dims, 'min') > 0
      -- Broken shapes may pass any width.
      THEN try_cast(try(
        list_reduce(list_transform(s.dims, lambda x: x::HUGEINT), lambda x, y: x * y)
        * s.bytes
      ) AS BIGINT)
    END AS shape_bytes,
    lower(concat_ws(
      ' ',
      json_extract_string(a.args, '$."memcpy direction"'),
      json_extract_string(a.args, '$.operation'),
      json_extract_string(a.args, '$.kind'),
      t.name
    )) AS file_words
  FROM tasks AS t
  LEFT JOIN args AS a ON t.arg_set_id = a.arg_set_id
  LEFT JOIN shaped AS s ON t.enqueue_slice_id = s.call_slice_id
), directed AS (
  SELECT
    *,
    CASE
      WHEN regexp_matches(file_words, 'host.to.device|htod|host -> ') THEN 'H2D'
      WHEN regexp_matches(file_words, 'device.to.host|dtoh|-> host') THEN 'D2H'
      WHEN regexp_matches(file_words, 'peer|ptop|p2p') THEN 'P2P'
      WHEN regexp_matches(file_words, 'device.to.device|dtod') THEN 'D2D'
    END AS file_direction,
    CASE
      WHEN call_name ILIKE '%host_to_device%' THEN 'H2D'
      WHEN call_name ILIKE '%device_to_host%' THEN 'D2H'
      WHEN call_name ILIKE '%device_to_device%' THEN 'D2D'
      -- The chip's own engine does not reach the host.
      WHEN task = 'SDMA' THEN 'D2D'
    END AS call_direction
  FROM told
), blocked AS (
  SELECT slice_id, min(sync_slice_id) AS sync_slice_id
  FROM (
    SELECT d.slice_id, h.slice_id AS sync_slice_id
    FROM directed AS d
    JOIN host_sync AS h ON d.host_slice_id = h.slice_id
    UNION ALL
    SELECT d.slice_id, h.slice_id
    FROM directed AS d
    JOIN host_sync AS h ON d.call_slice_id = h.launch_slice_id
  )
  GROUP BY slice_id
), staged AS (
  SELECT d.slice_id, d.track_id, d.ts, d.launch_end
  FROM directed AS d
  JOIN blocked USING (slice_id)
  WHERE coalesce(d.file_direction, d.call_direction) = 'H2D'
), before AS (
  SELECT p.track_id, p.ts, p.ts + p.dur AS end_ts
  FROM placed AS p
  WHERE p.track_id IN (SELECT track_id FROM staged)
), staging AS (
  SELECT
    s.slice_id,
    greatest(s.ts - greatest(s.launch_end, coalesce(b.end_ts, s.launch_end)), 0)
      AS staging_ns
  FROM staged AS s
  ASOF LEFT JOIN before AS b ON s.track_id = b.track_id AND s.ts > b.ts
)
SELECT
  d.slice_id,
  $rank::INTEGER AS rank,
  d.device_id,
  coalesce(d.file_direction, d.call_direction) AS direction,
  coalesce(d.file_bytes, d.shape_bytes) AS bytes,
  x.copying_ns AS exposed_ns,
  d.call_slice_id,
  d.operator_slice_id,
  b.sync_slice_id,
  CASE WHEN d.call_slice_id IS NOT NULL THEN b.slice_id IS NOT NULL END AS blocking,
  g.staging_ns,
  (d.file_direction IS NULL AND d.call_direction IS NOT NULL)
    OR (d.file_bytes IS NULL AND d.shape_bytes IS NOT NULL)
    AS inferred
FROM directed AS d
LEFT JOIN exposed AS x USING (slice_id)
LEFT JOIN blocked AS b USING (slice_id)
LEFT JOIN staging AS g USING (slice_id)
ORDER BY d.slice_id
