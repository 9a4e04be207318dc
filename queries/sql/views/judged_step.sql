-- The steps of each rank, and which of them are judged when no step is named:
-- those that are no warm-up, or all where nothing else was collected.
SELECT
  rank,
  step,
  ts,
  dur,
  warmup IS NOT TRUE OR bool_and(warmup IS TRUE) OVER (PARTITION BY rank)
    AS judged
FROM step
WHERE dur > 0
