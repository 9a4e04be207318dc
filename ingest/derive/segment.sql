-- table: segment
-- about: Each sub-lane cut into stretches that belong to the deepest slice open
--        there; they do not overlap.
WITH edges AS (
  SELECT
    p.track_id, n.sublane, p.ts AS edge, true AS opens, p.slice_id AS rank,
    p.slice_id AS current
  FROM placed AS p
  JOIN nesting AS n USING (slice_id)
  WHERE p.dur > 0
  UNION ALL
  SELECT
    p.track_id, n.sublane, p.ts + p.dur AS edge, false AS opens, -n.depth AS rank,
    n.parent_id AS current
  FROM placed AS p
  JOIN nesting AS n USING (slice_id)
  WHERE p.dur > 0
), stretches AS (
  SELECT
    track_id,
    sublane,
    edge AS ts,
    -- At one instant inner slices end first, then outer ones begin first.
    lead(edge) OVER (
      PARTITION BY track_id, sublane ORDER BY edge, opens, rank
    ) AS end_ts,
    current AS slice_id
  FROM edges
)
SELECT track_id, sublane, ts, end_ts, slice_id
FROM stretches
WHERE slice_id IS NOT NULL AND end_ts > ts
