-- title:   Waits
-- about:   What the device waited for, by step and name, most time first; kinds
--          as in wait_calls. Waits of several streams run at once: they can
--          sum to more than the step.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   kind VARCHAR = NULL of event|notify|peer  only waits of this kind
-- param:   from_ts BIGINT = NULL  only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL  only what begins before this instant, ns
-- param:   limit BIGINT = NULL  so many rows
-- columns: kind VARCHAR, rank INTEGER, device_id INTEGER, step INTEGER,
--          name VARCHAR, last_peer INTEGER, last_number INTEGER,
--          count BIGINT, total BIGINT, longest BIGINT,
--          longest_slice_id BIGINT, period_share DOUBLE
-- needs:   device_wait, step
WITH totals AS (
  SELECT
    kind,
    rank,
    device_id,
    step,
    name,
    last_peer,
    last_number,
    count(*) AS count,
    sum(wait_ns)::BIGINT AS total,
    max(wait_ns) AS longest,
    arg_max(slice_id, (wait_ns, -slice_id)) AS longest_slice_id
  FROM device_wait
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($kind IS NULL OR kind = $kind)
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  GROUP BY kind, rank, device_id, step, name, last_peer, last_number
)
SELECT
  w.kind,
  w.rank,
  w.device_id,
  w.step,
  w.name,
  w.last_peer,
  w.last_number,
  w.count,
  w.total,
  w.longest,
  w.longest_slice_id,
  w.total / nullif(s.dur, 0) AS period_share
FROM totals AS w
LEFT JOIN step AS s ON s.rank = w.rank AND s.step = w.step
ORDER BY
  w.total DESC, w.rank, w.step, w.kind, w.name, w.device_id, w.last_peer,
  w.last_number
LIMIT $limit
