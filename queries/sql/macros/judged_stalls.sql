-- The stalls of the judged steps.
CREATE MACRO judged_stalls(only_rank, only_step) AS TABLE
SELECT
  s.*,
  j.steps,
  j.period,
  coalesce(s.evidence_slice_id, s.next_slice_id) AS shown_slice_id
FROM stall AS s
JOIN judged(only_rank, only_step) AS j
  ON j.rank = s.rank AND j.step = s.step
