-- title:   Operators on AI CPU
-- about:   Operators that an AI CPU runs, by type, name and data types, most
--          time first. alone_ns is how long no other kernel runs meanwhile:
--          what they hold up. caller is the call of the framework or, without
--          one, the host call that most of them were launched by, callers how
--          many different ones there are.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, type VARCHAR, name VARCHAR, input_dtypes VARCHAR,
--          input_shapes VARCHAR, count BIGINT, total BIGINT, max BIGINT,
--          alone_ns BIGINT, period_share DOUBLE, caller VARCHAR,
--          callers BIGINT, longest_ts BIGINT, longest_kernel_id BIGINT
-- needs:   kernel, aicpu_call, launch_link, slice, step
WITH periods AS (
  SELECT rank, sum(dur) AS period
  FROM step
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank
), mine AS (
  SELECT k.*, c.alone_ns
  FROM aicpu_call AS c
  JOIN kernel AS k ON k.kernel_id = c.kernel_id
  WHERE ($rank IS NULL OR k.rank = $rank)
    AND ($step IS NULL OR k.step = $step)
), linked AS (
  SELECT l.slice_id, coalesce(l.enqueue_slice_id, l.host_slice_id) AS call_id
  FROM launch_link AS l
  JOIN mine AS m ON m.slice_id = l.slice_id
), called AS (
  SELECT
    l.slice_id,
    CASE
      WHEN starts_with(h.name, 'Enqueue') OR contains(h.name, '@')
        THEN coalesce(p.name, h.name)
      ELSE h.name
    END AS caller
  FROM linked AS l
  JOIN slice AS h ON h.slice_id = l.call_id
  LEFT JOIN slice AS p ON p.slice_id = h.parent_id
), grouped AS (
  SELECT
    m.rank,
    m.type,
    m.name,
    m.input_dtypes,
    m.input_shapes,
    count(*) AS count,
    sum(m.dur)::BIGINT AS total,
    max(m.dur) AS max,
    sum(m.alone_ns)::BIGINT AS alone_ns,
    sum(m.alone_ns) FILTER (m.step IS NOT NULL) AS stepped,
    mode(d.caller ORDER BY d.caller) AS caller,
    count(DISTINCT d.caller) AS callers,
    arg_max(m.ts, by_length(m.dur, m.kernel_id)) AS longest_ts,
    arg_max(m.kernel_id, by_length(m.dur, m.kernel_id)) AS longest_kernel_id
  FROM mine AS m
  LEFT JOIN called AS d ON d.slice_id = m.slice_id
  GROUP BY m.rank, m.type, m.name, m.input_dtypes, m.input_shapes
)
SELECT
  g.rank,
  g.type,
  g.name,
  g.input_dtypes,
  g.input_shapes,
  g.count,
  g.total,
  g.max,
  g.alone_ns,
  g.stepped / nullif(p.period, 0) AS period_share,
  g.caller,
  g.callers,
  g.longest_ts,
  g.longest_kernel_id
FROM grouped AS g
LEFT JOIN periods AS p ON p.rank = g.rank
ORDER BY g.total DESC, g.rank, g.type, g.name, g.input_dtypes, g.input_shapes
LIMIT $limit
