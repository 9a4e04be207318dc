-- title:   Pipeline bubbles
-- about:   How long a device waited in each step for data of another stage of a
--          pipeline. own_ns is the union of receive waits that nothing else
--          covers; bubble is the vendor's plain sum of receives, which may
--          overlap each other and compute; receive_ns is the time in
--          receives under which nothing computes. own_ns is NULL where
--          receives were collected without plane tasks. A pipeline of p
--          stages and m micro batches has to wait (p - 1) / (m + p - 1).
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, device_id INTEGER, step INTEGER, period BIGINT,
--          receives BIGINT, receive_ns BIGINT, own_ns BIGINT, bubble BIGINT,
--          own_share DOUBLE
-- needs:   collective, ledger, step
WITH received AS (
  SELECT
    rank,
    device_id,
    step,
    count(*) AS receives,
    sum(exposed_ns)::BIGINT AS receive_ns,
    bool_or(transfer_ns IS NULL) AS unsplit
  FROM collective
  WHERE starts_with(name, 'hcom_receive') OR contains(name, 'SendRecv')
  GROUP BY rank, device_id, step
), waited AS (
  SELECT
    rank,
    device_id,
    step,
    sum(CASE WHEN state = 'waiting_stage' THEN dur ELSE 0 END)::BIGINT AS own_ns
  FROM ledger
  GROUP BY rank, device_id, step
)
SELECT
  s.rank,
  w.device_id,
  s.step,
  s.dur AS period,
  coalesce(r.receives, 0) AS receives,
  coalesce(r.receive_ns, 0) AS receive_ns,
  CASE WHEN r.unsplit IS NOT TRUE THEN w.own_ns END AS own_ns,
  s.bubble,
  CASE WHEN r.unsplit IS NOT TRUE THEN w.own_ns END / nullif(s.dur, 0)
    AS own_share
FROM step AS s
JOIN waited AS w ON w.rank = s.rank AND w.step = s.step
LEFT JOIN received AS r
  ON r.rank = w.rank
  AND r.step = w.step
  AND r.device_id IS NOT DISTINCT FROM w.device_id
WHERE ($rank IS NULL OR s.rank = $rank)
  AND ($step IS NULL OR s.step = $step)
ORDER BY s.rank, s.ts, s.step, w.device_id
