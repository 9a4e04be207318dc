-- title:   Own figures beside the vendor's
-- about:   What the ledger says of a step beside the official figure of the
--          same thing, and why they may differ: difference is own less
--          official. The official figures hold from the first to the last
--          kernel, the ledger the whole period.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, step INTEGER, figure VARCHAR, official BIGINT,
--          own BIGINT, difference BIGINT, about VARCHAR, source VARCHAR
-- needs:   ledger, step
WITH spent AS (
  SELECT
    rank,
    step,
    coalesce(sum(dur) FILTER (
      state IN ('computing', 'mc2', 'aicpu')
    ), 0)::BIGINT AS computing,
    coalesce(sum(dur) FILTER (state IN (
      'transferring', 'waiting_peer', 'waiting_stage', 'collective_other'
    )), 0)::BIGINT AS exposed,
    coalesce(sum(dur) FILTER (
      state IN ('idle', 'copying', 'waiting_event')
      AND phase NOT IN ('lead_in', 'tail')
    ), 0)::BIGINT AS free,
    coalesce(sum(dur) FILTER (phase NOT IN ('lead_in', 'tail')), 0)::BIGINT
      AS stage,
    coalesce(sum(dur) FILTER (phase = 'lead_in'), 0)::BIGINT AS lead_in
  FROM ledger
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY rank, step, device_id
  -- Official figures are those of one device.
  QUALIFY count(*) OVER (PARTITION BY rank, step) = 1
), figures AS (
  SELECT
    s.rank,
    s.step,
    s.ts,
    s.figures_source AS source,
    unnest([
      {
        'place': 1, 'figure': 'computing',
        'official': s.computing, 'own': p.computing,
        'about': 'time in which a kernel runs, AI CPU included'
      },
      {
        'place': 2, 'figure': 'communication_not_overlapped',
        'official': s.communication_not_overlapped, 'own': p.exposed,
        'about': 'collectives without a kernel;'
          || ' the ledger takes out copies that run then'
      },
      {
        'place': 3, 'figure': 'free',
        'official': s.free, 'own': p.free,
        'about': 'gaps, copies and event waits from the first to the last'
          || ' kernel; the ledger adds copies that run during collectives, the'
          || ' vendor what its range of a step holds around the kernels'
      },
      {
        'place': 4, 'figure': 'stage',
        'official': s.stage, 'own': p.stage,
        'about': 'from the first to the last kernel, without the bubble; the'
          || ' vendor to the last event of its range, in steps of 0.25 us'
      },
      {
        'place': 5, 'figure': 'preparing',
        'official': s.preparing, 'own': p.lead_in,
        'about': 'before the first kernel: the vendor from the host start,'
          || ' the ledger from the end of the step before'
      }
    ], recursive := true)
  FROM step AS s
  JOIN spent AS p ON p.rank = s.rank AND p.step = s.step
  WHERE s.figures_source IS NOT NULL
)
SELECT
  rank,
  step,
  figure,
  official,
  own,
  own - official AS difference,
  about,
  source
FROM figures
ORDER BY rank, ts, step, place
