-- title:   Copies
-- about:   Copies of the device outside collectives, by step, task type and
--          name, most time first; what is left out is as in copy_calls.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, device_id INTEGER, step INTEGER,
--          task_type VARCHAR, name VARCHAR, count BIGINT, total BIGINT,
--          longest BIGINT, longest_slice_id BIGINT, period_share DOUBLE
-- needs:   device_copy, step
WITH totals AS (
  SELECT
    rank,
    device_id,
    step,
    task_type,
    name,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    max(dur) AS longest,
    arg_max(slice_id, (dur, -slice_id)) AS longest_slice_id
  FROM device_copy
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, device_id, step, task_type, name
)
SELECT
  c.rank,
  c.device_id,
  c.step,
  c.task_type,
  c.name,
  c.count,
  c.total,
  c.longest,
  c.longest_slice_id,
  c.total / nullif(s.dur, 0) AS period_share
FROM totals AS c
LEFT JOIN step AS s ON s.rank = c.rank AND s.step = c.step
ORDER BY c.total DESC, c.rank, c.step, c.task_type, c.name, c.device_id
LIMIT $limit
