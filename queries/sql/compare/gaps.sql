-- title:   Gaps before and after
-- about:   The gaps of two runs by cause in the median step; of several ranks
--          and devices the mean of each step. Warm-up does not count. The row
--          of scope all is that of all causes. base_count and test_count are
--          gaps in all these steps, longest the longest one of them. Spread,
--          noise and verdict are as in figures.
-- param:   kind VARCHAR = 'device' of device|compute  no work, or no kernel
-- param:   step INTEGER = NULL      only this step of both
-- columns: scope VARCHAR, cause VARCHAR, base_steps BIGINT,
--          test_steps BIGINT, base_count BIGINT, test_count BIGINT,
--          base_longest_ns BIGINT, test_longest_ns BIGINT, base_dur BIGINT,
--          test_dur BIGINT, difference BIGINT, change_share DOUBLE,
--          base_spread_ns BIGINT, test_spread_ns BIGINT, noise_ns BIGINT,
--          verdict VARCHAR
-- needs:   judged_step, gap_total, ledger
WITH picked AS (
  FROM picked_steps($step)
), devices AS (
  SELECT side, step, count(DISTINCT (l.rank, l.device_id)) AS devices
  FROM (
    SELECT DISTINCT 'base' AS side, rank, device_id, step
    FROM base.ledger
    UNION ALL
    SELECT DISTINCT 'test', rank, device_id, step
    FROM test.ledger
  ) AS l
  SEMI JOIN picked AS p USING (side, rank, step)
  GROUP BY side, step
), listed AS (
  SELECT g.*
  FROM (
    SELECT 'base' AS side, *
    FROM base.gap_total
    UNION ALL
    SELECT 'test', *
    FROM test.gap_total
  ) AS g
  SEMI JOIN picked AS p USING (side, rank, step)
  WHERE g.kind = $kind
), scoped AS (
  SELECT 'all' AS scope, side, step, NULL AS cause, count, total, longest
  FROM listed
  UNION ALL
  SELECT 'cause', side, step, cause, count, total, longest
  FROM listed
), measured AS (
  -- A step without such gaps lost 0 ns to them.
  SELECT
    d.side,
    d.step,
    e.scope,
    e.cause,
    coalesce(sum(s.count), 0) AS count,
    max(s.longest) AS longest,
    coalesce(sum(s.total), 0) // any_value(d.devices) AS dur
  FROM devices AS d
  CROSS JOIN (SELECT DISTINCT scope, cause FROM scoped) AS e
  LEFT JOIN scoped AS s
    ON s.side = d.side
    AND s.step = d.step
    AND s.scope = e.scope
    AND s.cause IS NOT DISTINCT FROM e.cause
  GROUP BY d.side, d.step, e.scope, e.cause
), centred AS (
  SELECT
    *,
    quantile_disc(dur, 0.5) OVER (PARTITION BY side, scope, cause) AS median
  FROM measured
), sides AS (
  SELECT
    side,
    scope,
    cause,
    count(*) AS steps,
    sum(count)::BIGINT AS count,
    max(longest) AS longest,
    any_value(median)::BIGINT AS dur,
    quantile_cont(abs(dur - median)::BIGINT, 0.5)::BIGINT AS spread
  FROM centred
  GROUP BY side, scope, cause
), paired AS (
  SELECT
    coalesce(b.scope, t.scope) AS scope,
    coalesce(b.cause, t.cause) AS cause,
    coalesce(b.steps, 0) AS base_steps,
    coalesce(t.steps, 0) AS test_steps,
    coalesce(b.count, 0) AS base_count,
    coalesce(t.count, 0) AS test_count,
    b.longest AS base_longest_ns,
    t.longest AS test_longest_ns,
    b.dur AS base_dur,
    t.dur AS test_dur,
    t.dur - b.dur AS difference,
    CASE WHEN b.steps > 1 THEN b.spread END AS base_spread_ns,
    CASE WHEN t.steps > 1 THEN t.spread END AS test_spread_ns
  FROM (FROM sides WHERE side = 'base') AS b
  FULL JOIN (FROM sides WHERE side = 'test') AS t
    ON t.scope = b.scope AND t.cause IS NOT DISTINCT FROM b.cause
), noisy AS (
  SELECT
    *,
    noise_band(
      base_spread_ns, base_steps, test_spread_ns, test_steps,
      greatest(
        base_dur // 100,
        (
          SELECT quantile_disc(dur, 0.5)
          FROM picked
          WHERE side = 'base'
        ) // 1000
      )
    ) AS noise_ns
  FROM paired
)
SELECT
  scope,
  cause,
  base_steps,
  test_steps,
  base_count,
  test_count,
  base_longest_ns,
  test_longest_ns,
  base_dur,
  test_dur,
  difference,
  difference / nullif(base_dur, 0) AS change_share,
  base_spread_ns,
  test_spread_ns,
  noise_ns,
  verdict(difference, noise_ns) AS verdict
FROM noisy
ORDER BY scope, abs(difference) DESC NULLS LAST, base_dur DESC, cause
