-- title:   Figures before and after
-- about:   The period of a step and the time in each state of the ledger, in
--          the median step of two runs; of several ranks and devices the mean
--          of each step. Warm-up does not count. spread is the median absolute
--          deviation of the steps from their median. verdict: better or worse
--          where the medians differ by more than noise_ns, which is three
--          standard errors of that difference, at least 1 % of the figure and
--          0.1 % of the period; else insignificant; unknown where a run has
--          fewer than 3 steps.
-- param:   by VARCHAR = 'state' of state|cause|question  cause: states by what
--          they wait for; question: working, waiting, moving and idle
-- param:   step INTEGER = NULL   only this step of both
-- columns: figure VARCHAR, cause VARCHAR, base_steps BIGINT,
--          test_steps BIGINT, base_dur BIGINT, test_dur BIGINT,
--          difference BIGINT, change_share DOUBLE, base_spread_ns BIGINT,
--          test_spread_ns BIGINT, noise_ns BIGINT, verdict VARCHAR
-- needs:   judged_step, ledger
WITH picked AS (
  SELECT side, rank, step, sum(dur)::BIGINT AS dur
  FROM picked_steps($step)
  GROUP BY side, rank, step
), spent AS (
  SELECT side, l.rank, l.device_id, l.step, l.state, l.cause, l.dur
  FROM (
    SELECT 'base' AS side, rank, device_id, step, state, cause, dur
    FROM base.ledger
    UNION ALL
    SELECT 'test', rank, device_id, step, state, cause, dur
    FROM test.ledger
  ) AS l
  SEMI JOIN picked AS p USING (side, rank, step)
), devices AS (
  SELECT side, step, count(DISTINCT (rank, device_id)) AS devices
  FROM spent
  GROUP BY side, step
), summed AS (
  SELECT
    side,
    step,
    CASE
      WHEN $by <> 'question' OR state = 'idle' THEN state
      WHEN state IN ('computing', 'mc2', 'aicpu') THEN 'working'
      WHEN starts_with(state, 'waiting') THEN 'waiting'
      ELSE 'moving'
    END AS figure,
    CASE WHEN $by = 'cause' THEN cause END AS cause,
    sum(dur) AS dur
  FROM spent
  GROUP BY ALL
), measured AS (
  SELECT
    side, step, 'period' AS figure, NULL AS cause, sum(dur) // count(*) AS dur
  FROM picked
  GROUP BY side, step
  UNION ALL
  -- A step that was never in a state was in it for 0 ns.
  SELECT
    d.side, d.step, f.figure, f.cause, coalesce(s.dur, 0) // d.devices
  FROM devices AS d
  CROSS JOIN (SELECT DISTINCT figure, cause FROM summed) AS f
  LEFT JOIN summed AS s
    ON s.side = d.side
    AND s.step = d.step
    AND s.figure = f.figure
    AND s.cause IS NOT DISTINCT FROM f.cause
), centred AS (
  SELECT
    *,
    quantile_disc(dur, 0.5) OVER (PARTITION BY side, figure, cause) AS median
  FROM measured
), sides AS (
  SELECT
    side,
    figure,
    cause,
    count(*) AS steps,
    any_value(median)::BIGINT AS dur,
    -- Between two middle ones lies their mean: a lower one is too low.
    quantile_cont(abs(dur - median)::BIGINT, 0.5)::BIGINT AS spread
  FROM centred
  GROUP BY side, figure, cause
), paired AS (
  SELECT
    coalesce(b.figure, t.figure) AS figure,
    coalesce(b.cause, t.cause) AS cause,
    coalesce(b.steps, 0) AS base_steps,
    coalesce(t.steps, 0) AS test_steps,
    b.dur AS base_dur,
    t.dur AS test_dur,
    t.dur - b.dur AS difference,
    CASE WHEN b.steps > 1 THEN b.spread END AS base_spread_ns,
    CASE WHEN t.steps > 1 THEN t.spread END AS test_spread_ns
  FROM (FROM sides WHERE side = 'base') AS b
  FULL JOIN (FROM sides WHERE side = 'test') AS t
    ON t.figure = b.figure AND t.cause IS NOT DISTINCT FROM b.cause
), noisy AS (
  SELECT
    *,
    noise_band(
      base_spread_ns, base_steps, test_spread_ns, test_steps,
      greatest(
        base_dur // 100,
        (SELECT base_dur FROM paired WHERE figure = 'period') // 1000
      )
    ) AS noise_ns
  FROM paired
)
SELECT
  figure,
  cause,
  base_steps,
  test_steps,
  base_dur,
  test_dur,
  difference,
  difference / nullif(base_dur, 0) AS change_share,
  base_spread_ns,
  test_spread_ns,
  noise_ns,
  verdict(difference, noise_ns) AS verdict
FROM noisy
ORDER BY
  list_position(
    [
      'period', 'working', 'computing', 'mc2', 'aicpu', 'waiting', 'moving',
      'transferring', 'copying', 'waiting_peer', 'waiting_stage',
      'collective_other', 'waiting_event', 'idle'
    ],
    figure
  ),
  greatest(base_dur, test_dur) DESC,
  cause
