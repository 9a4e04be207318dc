-- The steps that a finding is about: the one that is named, else those that are
-- judged; with how many of a rank there are, and their time in all.
CREATE MACRO judged(only_rank, only_step) AS TABLE
SELECT
  rank,
  step,
  ts,
  dur,
  count(*) OVER (PARTITION BY rank) AS steps,
  sum(dur) OVER (PARTITION BY rank)::BIGINT AS period
FROM judged_step
WHERE (only_rank IS NULL OR rank = only_rank)
  AND CASE WHEN only_step IS NULL THEN judged ELSE step = only_step END
