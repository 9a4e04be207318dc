-- The steps of both runs that are compared: the one that is named, else those
-- that are judged.
CREATE MACRO picked_steps(only_step) AS TABLE
SELECT side, rank, step, dur
FROM (
  SELECT 'base' AS side, *
  FROM base.judged_step
  UNION ALL
  SELECT 'test', *
  FROM test.judged_step
)
WHERE CASE WHEN only_step IS NULL THEN judged ELSE step = only_step END
