-- title:   Own figures beside the vendor's
-- about:   What the ledger says of a step beside the official figure of the
--          same thing, and why they may differ: difference is own less
--          official. The official figures hold from the first to the last
--          kernel, the ledger the whole period. Where the profile has
--          communication.json, its sums over collectives stand beside ours of
--          the same collectives; vendor_collectives shows each.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rank INTEGER, step INTEGER, figure VARCHAR, official BIGINT,
--          own BIGINT, difference BIGINT, about VARCHAR, source VARCHAR
-- needs:   ledger, step, collective, vendor_collective
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
), paired AS (
  SELECT
    v.rank,
    c.step,
    any_value(s.ts) AS ts,
    sum(v.elapse_ns)::BIGINT AS elapse,
    sum(c.dur)::BIGINT AS dur,
    sum(v.transit_ns)::BIGINT AS transit,
    sum(c.transfer_ns)::BIGINT AS transfer,
    sum(v.wait_ns)::BIGINT AS wait,
    sum(c.wait_ns)::BIGINT AS own_wait,
    sum(v.idle_ns)::BIGINT AS idle,
    sum(c.dur - c.transfer_ns - c.wait_ns)::BIGINT AS rest,
    coalesce(
      'plane ' || string_agg(DISTINCT v.plane::VARCHAR, ', '), 'one plane'
    ) AS plane
  FROM vendor_collective AS v
  JOIN collective AS c ON c.collective_id = v.collective_id
  JOIN step AS s ON s.rank = c.rank AND s.step = c.step
  WHERE ($rank IS NULL OR v.rank = $rank)
    AND ($step IS NULL OR c.step = $step)
  GROUP BY v.rank, c.step
), collectives AS (
  SELECT
    rank,
    step,
    ts,
    'communication.json' AS source,
    unnest([
      {
        'place': 6, 'figure': 'collective_elapse',
        'official': elapse, 'own': dur,
        'about': 'length of the collectives, one after the other'
      },
      {
        'place': 7, 'figure': 'collective_transit',
        'official': transit, 'own': transfer,
        'about': 'the vendor what ' || plane || ' moves to other ranks; here'
          || ' while any plane moves data'
      },
      {
        'place': 8, 'figure': 'collective_wait',
        'official': wait, 'own': own_wait,
        'about': 'the vendor what ' || plane || ' waits, and so for one peer;'
          || ' here while no plane moves data and any waits'
      },
      {
        'place': 9, 'figure': 'collective_idle',
        'official': idle, 'own': rest,
        'about': 'the vendor what is neither on ' || plane || ', waits of the'
          || ' other planes for their peers in it; here what is neither on any'
      }
    ], recursive := true)
  FROM paired
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
FROM (FROM figures UNION ALL BY NAME FROM collectives)
ORDER BY rank, ts, step, place
