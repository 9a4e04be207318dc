-- The ledger of the judged steps.
CREATE MACRO judged_ledger(only_rank, only_step) AS TABLE
SELECT l.*, j.ts, j.dur AS step_dur, j.steps, j.period
FROM ledger AS l
JOIN judged(only_rank, only_step) AS j
  ON j.rank = l.rank AND j.step = l.step
