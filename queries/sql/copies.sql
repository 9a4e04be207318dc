-- title:   Copies
-- about:   Copies of the device outside collectives, by step, direction, task
--          type and name, most time first; what is left out is as in
--          copy_calls. exposed_ns is the part in which nothing computes and
--          no collective moves data; bytes and bytes_per_s are of those
--          sized, by their time. A blocking copy held up its thread;
--          staging_ns is the time before such copies from the host in which
--          nothing was left to wait for: the driver brought unpinned memory
--          into place.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only this step
-- param:   direction VARCHAR = NULL of H2D|D2H|D2D|P2P  only this direction
-- param:   limit BIGINT = NULL       so many rows
-- columns: rank INTEGER, device_id INTEGER, step INTEGER,
--          direction VARCHAR, task_type VARCHAR, name VARCHAR,
--          count BIGINT, total BIGINT, longest BIGINT,
--          longest_slice_id BIGINT, period_share DOUBLE,
--          exposed_ns BIGINT, bytes BIGINT, sized BIGINT,
--          bytes_per_s DOUBLE, blocking BIGINT, staging_ns BIGINT
-- needs:   device_copy, step
WITH totals AS (
  SELECT
    rank,
    device_id,
    step,
    direction,
    task_type,
    name,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    max(dur) AS longest,
    arg_max(slice_id, by_length(dur, slice_id)) AS longest_slice_id,
    sum(exposed_ns)::BIGINT AS exposed_ns,
    try_cast(sum(bytes) AS BIGINT) AS bytes,
    count(bytes) AS sized,
    sum(dur) FILTER (bytes IS NOT NULL) AS timed,
    CASE WHEN count(blocking) > 0 THEN count(*) FILTER (blocking) END
      AS blocking,
    sum(staging_ns)::BIGINT AS staging_ns
  FROM device_copy
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($direction IS NULL OR direction = $direction)
  GROUP BY rank, device_id, step, direction, task_type, name
)
SELECT
  c.rank,
  c.device_id,
  c.step,
  c.direction,
  c.task_type,
  c.name,
  c.count,
  c.total,
  c.longest,
  c.longest_slice_id,
  c.total / nullif(s.dur, 0) AS period_share,
  c.exposed_ns,
  c.bytes,
  c.sized,
  c.bytes * 1e9 / nullif(c.timed, 0)::DOUBLE AS bytes_per_s,
  c.blocking,
  c.staging_ns
FROM totals AS c
LEFT JOIN step AS s ON s.rank = c.rank AND s.step = c.step
ORDER BY
  c.total DESC, c.rank, c.step, c.direction, c.task_type, c.name, c.device_id
LIMIT $limit
