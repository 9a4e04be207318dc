-- Runs of kernels on one stream and in one step that a pattern of fusion_step
-- fits, one row each. A letter stands for each operator type, so that a stream
-- is a text and a pattern a regular expression over it; runs of one pattern do
-- not overlap. Those of a linked pattern end where a member is known not to
-- read as many numbers as the one before wrote. gap_ns lies between the
-- members; computed_ns is the part in which the unit that computes was busy,
-- NULL where it was not measured. bytes are written by a member for the next
-- one and read by it again, by the shapes; NULL where they are not known. fp32:
-- an input is FLOAT. unaligned: the inner axis of something in between is no
-- multiple of 512 bytes. beside: kernels of another stream run meanwhile.
-- in_graph: a member is an operator that the graph engine fused. What one
-- kernel would save is about least_ns, the gaps without what the collection
-- puts between kernels, none where another stream computes meanwhile; at most
-- most_ns, with what the bytes take at bytes_per_s of the device's memory, but
-- not more than the members take without computing. What launches cost is in
-- the gaps as far as the device waited for it.
CREATE MACRO fusion_runs(only_rank, only_step, bytes_per_s) AS TABLE
WITH listed AS (
  SELECT
    rank,
    device_id,
    step,
    stream_id,
    kernel_id,
    type,
    ts,
    dur,
    step IS DISTINCT FROM lag(step) OVER line AS begins,
    row_number() OVER line AS place
  FROM (
    SELECT rank, device_id, step, stream_id, kernel_id, type, ts, dur
    FROM kernel
    WHERE (only_rank IS NULL OR rank = only_rank)
      AND (only_step IS NULL OR step = only_step)
      AND stream_id IS NOT NULL
      AND type IS NOT NULL
      AND NOT communicates(core)
    UNION ALL
    -- Without the column the stream is that of the lane.
    SELECT
      k.rank, k.device_id, k.step, s.track_id, k.kernel_id, k.type, k.ts, k.dur
    FROM kernel AS k
    JOIN slice AS s ON s.slice_id = k.slice_id
    WHERE (only_rank IS NULL OR k.rank = only_rank)
      AND (only_step IS NULL OR k.step = only_step)
      AND k.stream_id IS NULL
      AND k.type IS NOT NULL
      AND NOT communicates(k.core)
  )
  WINDOW line AS (
    PARTITION BY rank, device_id, stream_id ORDER BY kernel_id
  )
), known AS (
  SELECT type, chr(65536 + row_number() OVER (ORDER BY type)::INTEGER) AS letter
  FROM (SELECT DISTINCT type FROM listed)
), token AS (
  SELECT
    p.pattern,
    any_value(p.fused) AS fused,
    any_value(p.linked) AS linked,
    p.place,
    CASE
      WHEN any_value(len(p.types)) = 0 THEN any_value(p.token)
      -- What does not occur is a letter that does not occur.
      ELSE '[' || coalesce(string_agg(k.letter, ''), chr(1)) || ']'
    END AS text
  FROM fusion_step AS p
  LEFT JOIN known AS k
    ON len(list_filter(p.types, lambda one: k.type GLOB one)) > 0
  GROUP BY p.pattern, p.place
), pattern AS (
  SELECT
    pattern,
    any_value(fused) AS fused,
    any_value(linked) AS linked,
    string_agg(text, '' ORDER BY place) AS expression
  FROM token
  GROUP BY pattern
), written AS (
  SELECT
    o.rank,
    o.device_id,
    o.stream_id,
    -- Between two steps stands a letter of its own.
    string_agg(
      CASE WHEN o.begins THEN chr(2) || k.letter ELSE k.letter END, ''
      ORDER BY o.place
    ) AS line
  FROM listed AS o
  JOIN known AS k ON k.type = o.type
  GROUP BY o.rank, o.device_id, o.stream_id
), cut AS (
  SELECT
    w.rank,
    w.device_id,
    w.stream_id,
    p.pattern,
    p.fused,
    p.linked,
    regexp_extract_all(w.line, p.expression) AS found,
    string_split_regex(w.line, p.expression) AS between
  FROM written AS w
  CROSS JOIN pattern AS p
), piece AS (
  SELECT
    rank,
    device_id,
    stream_id,
    pattern,
    fused,
    linked,
    unnest(range(1, len(found) + 1)) AS number,
    unnest(found) AS found,
    unnest(list_transform(found, lambda one: len(one))) AS length,
    unnest(list_transform(
      between[:len(found)], lambda one: len(replace(one, chr(2), ''))
    )) AS before
  FROM cut
), run AS (
  SELECT
    *,
    sum(length + before) OVER (
      PARTITION BY rank, device_id, stream_id, pattern ORDER BY number
    ) - length + 1 AS first
  FROM piece
), place AS (
  SELECT
    *,
    unnest(range(first::BIGINT, first::BIGINT + length)) AS place
  FROM run
), member AS (
  SELECT
    p.rank,
    p.device_id,
    o.step,
    p.stream_id,
    p.pattern,
    p.fused,
    p.linked,
    p.found,
    p.first,
    p.number,
    p.place,
    p.place = p.first + p.length - 1 AS is_last,
    o.kernel_id,
    o.ts,
    o.dur
  FROM place AS p
  JOIN listed AS o
    ON o.rank = p.rank
    AND o.device_id IS NOT DISTINCT FROM p.device_id
    AND o.stream_id = p.stream_id
    AND o.place = p.place
), sized AS (
  SELECT
    m.*,
    k.slice_id,
    g.name IS NOT NULL AS in_graph,
    greatest(k.aic_mac_ratio, k.aiv_vec_ratio) AS computed,
    k.shape_id
  FROM member AS m
  JOIN kernel AS k ON k.kernel_id = m.kernel_id
  LEFT JOIN (SELECT DISTINCT rank, name FROM fused_operator) AS g
    ON g.rank = k.rank AND g.name = k.name
), shaped AS (
  -- Kernels are many, shapes few.
  FROM kernel_shape
  WHERE shape_id IN (SELECT shape_id FROM sized)
), tensor AS (
  SELECT
    k.shape_id,
    list_has_any(
      string_split(trim(k.input_dtypes, '" '), ';'), ['FLOAT', 'FLOAT32']
    ) AS fp32,
    list_transform(
      string_split(string_split(trim(k.input_shapes, '" '), ';')[1], ','),
      -- One that is not fixed is written as -1.
      lambda size: nullif(greatest(try_cast(trim(size) AS HUGEINT), -1), -1)
    ) AS read_sizes,
    list_transform(
      string_split(string_split(trim(k.output_shapes, '" '), ';')[1], ','),
      lambda size: nullif(greatest(try_cast(trim(size) AS HUGEINT), -1), -1)
    ) AS sizes,
    CASE
      WHEN string_split(trim(k.output_dtypes, '" '), ';')[1] IN (
        'INT64', 'UINT64', 'DOUBLE', 'COMPLEX64'
      ) THEN 8
      WHEN string_split(trim(k.output_dtypes, '" '), ';')[1] IN (
        'FLOAT', 'FLOAT32', 'INT32', 'UINT32'
      ) THEN 4
      WHEN string_split(trim(k.output_dtypes, '" '), ';')[1] IN (
        'FLOAT16', 'DT_BF16', 'BF16', 'BFLOAT16', 'INT16', 'UINT16'
      ) THEN 2
      WHEN string_split(trim(k.output_dtypes, '" '), ';')[1] IN (
        'INT8', 'UINT8', 'BOOL'
      ) THEN 1
    END AS width,
    -- Other formats are cut into blocks that align.
    regexp_matches(k.output_formats, '^"?(FORMAT_)?(ND|NCHW|NHWC|NCDHW)\b')
      AS is_plain
  FROM shaped AS k
), told AS (
  SELECT
    shape_id,
    fp32,
    width,
    list_count(sizes) = len(sizes) AS is_whole,
    CASE WHEN list_count(read_sizes) = len(read_sizes) THEN
      try(list_reduce(read_sizes, lambda x, y: x * y))
    END AS reads,
    CASE WHEN list_count(sizes) = len(sizes) THEN
      try(list_reduce(sizes, lambda x, y: x * y))
    END AS wrote,
    -- A broken shape may pass any width.
    try(2 * width * list_reduce(sizes, lambda x, y: x * y)) AS bytes,
    is_plain AND try(sizes[-1] * width % 512) <> 0 AS unaligned
  FROM tensor
), linked AS (
  -- A view between two operators changes the shape alone, not how many numbers
  -- there are. Without shapes a run is as long as its types say.
  SELECT
    *,
    count(*) FILTER (reads <> lent) OVER run AS part
  FROM (
    SELECT m.*, t.*, lag(t.wrote) OVER run AS lent
    FROM sized AS m
    JOIN told AS t USING (shape_id)
    WHERE m.linked
    WINDOW run AS (
      PARTITION BY m.rank, m.device_id, m.stream_id, m.pattern, m.number
      ORDER BY m.place
    )
  )
  WINDOW run AS (
    PARTITION BY rank, device_id, stream_id, pattern, number ORDER BY place
  )
), parted AS (
  SELECT m.* EXCLUDE (linked), t.* EXCLUDE (shape_id), 0 AS part
  FROM sized AS m
  JOIN told AS t USING (shape_id)
  WHERE NOT m.linked
  UNION ALL BY NAME
  SELECT
    * EXCLUDE (linked, lent) REPLACE (
      lead(place) OVER run IS NULL AS is_last
    )
  FROM linked
  WINDOW run AS (
    PARTITION BY rank, device_id, stream_id, pattern, number, part
    ORDER BY place
  )
  QUALIFY count(*) OVER (
    PARTITION BY rank, device_id, stream_id, pattern, number, part
  ) > 1
), spanned AS (
  SELECT
    rank,
    device_id,
    step,
    stream_id,
    pattern,
    any_value(fused) AS fused,
    substr(
      any_value(found), (min(place) - any_value(first) + 1)::BIGINT, count(*)
    ) AS found,
    count(*) AS members,
    min(ts) AS ts,
    max(ts + dur) AS end_ts,
    sum(dur)::BIGINT AS total,
    CASE WHEN count(computed) = count(*) THEN
      sum((dur * least(computed, 1))::BIGINT)::BIGINT
    END AS computed_ns,
    arg_min(kernel_id, place) AS kernel_id,
    list(slice_id ORDER BY place) AS slice_ids,
    CASE WHEN count(width) = count(*) AND bool_and(is_whole) THEN
      try_cast(sum(bytes) FILTER (NOT is_last) AS BIGINT)
    END AS bytes,
    bool_or(fp32) AS fp32,
    bool_or(unaligned) FILTER (NOT is_last) AS unaligned,
    bool_or(in_graph) AS in_graph
  FROM parted
  GROUP BY rank, device_id, step, stream_id, pattern, number, part
), spelled AS (
  -- Runs are many, words few.
  SELECT
    f.found,
    string_agg(k.type, ' > ' ORDER BY f.place) AS types
  FROM (
    SELECT
      found,
      unnest(string_split(found, '')) AS letter,
      unnest(range(len(found))) AS place
    FROM (SELECT DISTINCT found FROM spanned)
  ) AS f
  JOIN known AS k ON k.letter = f.letter
  GROUP BY f.found
), lane AS (
  SELECT
    rank,
    device_id,
    count(DISTINCT stream_id) AS streams
  FROM listed
  GROUP BY rank, device_id
), crowd AS (
  -- Kernels of a stream follow each other: whoever overlaps is of another one.
  SELECT
    o.kernel_id,
    coalesce(max(o.ts + o.dur) OVER earlier > o.ts, FALSE)
      OR coalesce(lead(o.ts) OVER line < o.ts + o.dur, FALSE) AS beside
  FROM listed AS o
  JOIN lane AS l
    ON l.rank = o.rank AND l.device_id IS NOT DISTINCT FROM o.device_id
  WHERE l.streams > 1
  WINDOW
    line AS (PARTITION BY o.rank, o.device_id ORDER BY o.ts, o.kernel_id),
    earlier AS (
      PARTITION BY o.rank, o.device_id ORDER BY o.ts, o.kernel_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
), busy AS (
  SELECT m.rank, m.device_id, m.step, m.stream_id, m.pattern,
    min(m.kernel_id) AS kernel_id, bool_or(c.beside) AS beside
  FROM parted AS m
  JOIN crowd AS c ON c.kernel_id = m.kernel_id
  GROUP BY
    m.rank, m.device_id, m.step, m.stream_id, m.pattern, m.number, m.part
), placed AS (
  SELECT
    s.*,
    w.types,
    s.end_ts - s.ts AS dur,
    greatest(s.end_ts - s.ts - s.total, 0) AS gap_ns,
    coalesce(b.beside, FALSE) AS beside
  FROM spanned AS s
  JOIN spelled AS w ON w.found = s.found
  LEFT JOIN busy AS b ON b.pattern = s.pattern AND b.kernel_id = s.kernel_id
), saved AS (
  SELECT
    t.*,
    CASE
      WHEN t.beside THEN 0
      ELSE greatest(t.gap_ns - (t.members - 1) * coalesce(c.median, 0), 0)
    END AS least_ns
  FROM placed AS t
  LEFT JOIN spacing AS c
    ON c.rank = t.rank AND c.device_id IS NOT DISTINCT FROM t.device_id
    AND c.profiler
)
SELECT
  rank,
  device_id,
  step,
  stream_id,
  pattern,
  fused,
  types,
  members,
  ts,
  dur,
  total,
  gap_ns,
  computed_ns,
  bytes,
  least_ns,
  CASE WHEN bytes IS NOT NULL AND bytes_per_s > 0 THEN
    least_ns + least(
      bytes::HUGEINT * 1000000000 // bytes_per_s,
      greatest(total - coalesce(computed_ns, 0), 0)
    )::BIGINT
  END AS most_ns,
  fp32,
  unaligned,
  beside,
  in_graph,
  kernel_id,
  slice_ids
FROM saved
