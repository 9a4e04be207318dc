-- title:   Overview
-- about:   Where the period of each step went: the ns in each state, the boxes
--          waiting (waiting_peer, waiting_stage, waiting_event) and moving
--          (transferring, copying, collective_other), and shares of the
--          period. computing, mc2, aicpu, waiting, moving,
--          collective_unsplit and idle are the whole. Without plane tasks a
--          collective cannot be split: its time is collective_unsplit, and
--          what would be part of it is NULL, as is all that was not collected.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, device_id INTEGER, step INTEGER, kind VARCHAR,
--          warmup BOOLEAN, warmup_by VARCHAR, ts BIGINT, period BIGINT,
--          computing BIGINT,
--          mc2 BIGINT, aicpu BIGINT, transferring BIGINT, copying BIGINT,
--          waiting_peer BIGINT, waiting_stage BIGINT,
--          collective_other BIGINT, collective_unsplit BIGINT,
--          waiting_event BIGINT, idle BIGINT, waiting BIGINT, moving BIGINT,
--          computing_share DOUBLE, mc2_share DOUBLE, aicpu_share DOUBLE,
--          waiting_share DOUBLE, moving_share DOUBLE, unsplit_share DOUBLE,
--          idle_share DOUBLE
-- needs:   step, ledger, collective, import_stat
WITH collected AS (
  SELECT
    p.rank,
    -- The reader made the lanes of kernels: nothing else was recorded.
    EXISTS (
      FROM import_stat AS i
      WHERE i.rank = p.rank AND i.name = 'timeline_from_kernel_table'
    ) AS kernels_only,
    EXISTS (FROM collective AS c WHERE c.rank = p.rank) AND NOT EXISTS (
      FROM collective AS c
      WHERE c.rank = p.rank AND c.transfer_ns IS NOT NULL
    ) AS unsplit
  FROM (SELECT DISTINCT rank FROM step) AS p
), spent AS (
  SELECT
    rank,
    device_id,
    step,
    -- The ledger is complete: a state that it does not list took no time.
    coalesce(sum(dur) FILTER (state = 'computing'), 0) AS computing,
    coalesce(sum(dur) FILTER (state = 'mc2'), 0) AS mc2,
    coalesce(sum(dur) FILTER (state = 'aicpu'), 0) AS aicpu,
    coalesce(sum(dur) FILTER (state = 'transferring'), 0) AS transferring,
    coalesce(sum(dur) FILTER (state = 'copying'), 0) AS copying,
    coalesce(sum(dur) FILTER (state = 'waiting_peer'), 0) AS waiting_peer,
    coalesce(sum(dur) FILTER (state = 'waiting_stage'), 0) AS waiting_stage,
    coalesce(sum(dur) FILTER (state = 'collective_other'), 0)
      AS collective_other,
    coalesce(sum(dur) FILTER (state = 'waiting_event'), 0) AS waiting_event,
    coalesce(sum(dur) FILTER (state = 'idle'), 0) AS idle
  FROM ledger
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, device_id, step
), known AS (
  SELECT
    p.rank,
    p.device_id,
    p.step,
    p.computing,
    p.mc2,
    p.aicpu,
    p.idle,
    CASE WHEN NOT c.unsplit THEN p.transferring END AS transferring,
    CASE WHEN NOT c.unsplit THEN p.waiting_peer END AS waiting_peer,
    CASE WHEN NOT c.unsplit THEN p.waiting_stage END AS waiting_stage,
    CASE WHEN c.unsplit THEN 0 ELSE p.collective_other END AS collective_other,
    CASE WHEN c.unsplit THEN p.collective_other ELSE 0 END
      AS collective_unsplit,
    CASE WHEN NOT c.kernels_only THEN p.copying END AS copying,
    CASE WHEN NOT c.kernels_only THEN p.waiting_event END AS waiting_event
  FROM spent AS p
  JOIN collected AS c ON c.rank = p.rank
), boxes AS (
  SELECT
    s.rank,
    p.device_id,
    s.step,
    s.kind,
    s.warmup,
    s.warmup_by,
    s.ts,
    s.dur AS period,
    p.* EXCLUDE (rank, device_id, step),
    CASE
      WHEN coalesce(p.waiting_peer, p.waiting_stage, p.waiting_event)
        IS NOT NULL
      THEN coalesce(p.waiting_peer, 0) + coalesce(p.waiting_stage, 0)
        + coalesce(p.waiting_event, 0)
    END AS waiting,
    CASE
      WHEN coalesce(p.transferring, p.copying) IS NOT NULL
      THEN coalesce(p.transferring, 0) + coalesce(p.copying, 0)
        + p.collective_other
    END AS moving,
    nullif(s.dur, 0) AS whole
  FROM step AS s
  LEFT JOIN known AS p ON p.rank = s.rank AND p.step = s.step
  WHERE ($rank IS NULL OR s.rank = $rank)
    AND ($step IS NULL OR s.step = $step)
)
SELECT
  rank,
  device_id,
  step,
  kind,
  warmup,
  warmup_by,
  ts,
  period,
  computing::BIGINT AS computing,
  mc2::BIGINT AS mc2,
  aicpu::BIGINT AS aicpu,
  transferring::BIGINT AS transferring,
  copying::BIGINT AS copying,
  waiting_peer::BIGINT AS waiting_peer,
  waiting_stage::BIGINT AS waiting_stage,
  collective_other::BIGINT AS collective_other,
  collective_unsplit::BIGINT AS collective_unsplit,
  waiting_event::BIGINT AS waiting_event,
  idle::BIGINT AS idle,
  waiting::BIGINT AS waiting,
  moving::BIGINT AS moving,
  computing / whole AS computing_share,
  mc2 / whole AS mc2_share,
  aicpu / whole AS aicpu_share,
  waiting / whole AS waiting_share,
  moving / whole AS moving_share,
  collective_unsplit / whole AS unsplit_share,
  idle / whole AS idle_share
FROM boxes
ORDER BY rank, ts, step, device_id
