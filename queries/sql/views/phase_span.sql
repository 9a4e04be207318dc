-- When each phase of a step is: phases follow each other in this order, and
-- what a step spends in them sums to its period.
WITH spent AS (
  SELECT
    rank, device_id, step, phase, sum(dur)::BIGINT AS dur,
    list_position(
      [
        'lead_in', 'forward', 'prefill', 'decode', 'mixed', 'body',
        'backward', 'optimizer', 'tail'
      ],
      phase
    ) AS place
  FROM ledger
  GROUP BY rank, device_id, step, phase
), ended AS (
  SELECT
    p.rank, p.device_id, p.step, p.phase, p.dur,
    s.ts + (
      sum(p.dur) OVER (
        PARTITION BY p.rank, p.device_id, p.step ORDER BY p.place
      )
    )::BIGINT AS end_ts
  FROM spent AS p
  JOIN step AS s ON s.rank = p.rank AND s.step = p.step
)
SELECT rank, device_id, step, phase, end_ts - dur AS ts, dur
FROM ended
