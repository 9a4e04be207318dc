-- table: tangle
-- about: Slices of the clusters (runs of slices that touch in time on a lane)
--        in which some overlap only partly; their nesting is worked out one by
--        one.
WITH reach AS (
  SELECT
    *,
    max(CASE WHEN dur > 0 THEN ts + dur END) OVER (
      PARTITION BY track_id ORDER BY slice_id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS reached
  FROM nesting_guess
  WHERE track_id IN (SELECT track_id FROM nesting_guess WHERE NOT sound)
), clusters AS (
  SELECT
    *,
    sum((
      reached IS NULL OR ts > reached OR (ts = reached AND dur > 0)
    )::BIGINT) OVER (
      PARTITION BY track_id ORDER BY slice_id ROWS UNBOUNDED PRECEDING
    )::BIGINT AS cluster
  FROM reach
)
SELECT slice_id, track_id, cluster, ts, dur
FROM clusters
WHERE (track_id, cluster) IN (
  SELECT (track_id, cluster) FROM clusters WHERE NOT sound
)
ORDER BY track_id, slice_id
