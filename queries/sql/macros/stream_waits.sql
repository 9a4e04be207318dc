-- The waits of streams that a record of another stream ended. unused_ns is the
-- part of a wait in which that stream had run all that was waited for and was
-- not held itself, but had not told so: the record came late.
CREATE MACRO stream_waits(only_rank, only_step) AS TABLE
WITH wait AS (
  SELECT e.*, p.step, s.track_id, s.ts, s.end_ts, s.dur
  FROM event_wait AS e
  JOIN slice AS s ON s.slice_id = e.slice_id
  -- A wait moves no step on: it counts where it began.
  JOIN step AS p
    ON p.rank = e.rank
    AND s.ts >= p.ts
    AND s.ts < p.ts + p.dur
  WHERE e.record_slice_id IS NOT NULL
    AND (only_rank IS NULL OR e.rank = only_rank)
    AND (only_step IS NULL OR p.step = only_step)
), named AS MATERIALIZED (
  -- Few of very many slices: they are picked, not joined.
  SELECT slice_id, track_id, ts, end_ts, name
  FROM slice
  WHERE slice_id IN (
    SELECT unnest([record_slice_id, producer_slice_id]) FROM wait
  )
)
SELECT
  w.rank,
  w.device_id,
  w.step,
  w.slice_id,
  w.track_id,
  w.ts,
  w.dur,
  w.exposed_ns,
  w.record_slice_id,
  r.track_id AS record_track_id,
  p.slice_id AS producer_slice_id,
  p.name AS producer_name,
  CASE
    WHEN w.held_slice_id IS NULL
    THEN greatest(0, r.ts - greatest(w.ts, p.end_ts))
    ELSE 0
  END AS unused_ns
FROM wait AS w
JOIN named AS r ON r.slice_id = w.record_slice_id
LEFT JOIN named AS p ON p.slice_id = w.producer_slice_id
