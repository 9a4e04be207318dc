-- table: link
-- about: What collectives moved, by step, operation, task, peer, link and size.
WITH moved AS (
  SELECT
    t.device_id,
    c.step,
    t.group_name,
    regexp_extract(c.name, '^(\w+?)_*(__|$)', 1) AS operation,
    n.text AS task,
    t.number,
    t.transport,
    t.link,
    t.bytes,
    t.dur
  FROM plane_task AS t
  JOIN collective AS c ON t.collective_slice_id = c.slice_id
  JOIN word AS n ON t.name = n.code
  WHERE t.moves
)
SELECT
  $rank::INTEGER AS rank,
  m.device_id,
  m.step,
  m.group_name AS "group",
  m.operation,
  m.task,
  m.number,
  any_value(g.peer) AS peer,
  m.transport,
  m.link,
  CASE WHEN m.bytes > 0 THEN 1::BIGINT << floor(log2(m.bytes))::BIGINT
  ELSE m.bytes END AS from_bytes,
  count(*) AS count,
  sum(m.bytes)::BIGINT AS bytes,
  sum(m.dur)::BIGINT AS total,
  min(m.bytes * 1e9 / nullif(m.dur, 0)) AS min_bytes_per_s,
  max(m.bytes * 1e9 / nullif(m.dur, 0)) AS max_bytes_per_s
FROM moved AS m
LEFT JOIN group_member AS g
  ON m.group_name IS NOT DISTINCT FROM g."group" AND m.number = g.number
GROUP BY
  m.device_id, m.step, m.group_name, m.operation, m.task, m.number,
  m.transport, m.link, from_bytes
ORDER BY step, device_id, "group", operation, task, number, from_bytes
