-- table: flow_end
-- about: Each end of an arrow with the slice that it stands on: the innermost
--        that starts at that very instant, else the innermost open then.
WITH ends AS (
  SELECT f.*, l.track_id
  FROM read_flow AS f
  JOIN lane AS l USING (lane)
), starting AS (
  SELECT p.track_id, p.ts, arg_max(p.slice_id, (n.depth, p.slice_id)) AS slice_id
  FROM placed AS p
  JOIN nesting AS n USING (slice_id)
  SEMI JOIN ends AS e ON p.track_id = e.track_id AND p.ts = e.ts
  GROUP BY p.track_id, p.ts
)
SELECT
  e.seq,
  e.phase,
  e.category,
  e.name,
  e.key,
  e.track_id,
  e.ts,
  coalesce(s.slice_id, CASE WHEN o.end_ts >= e.ts THEN o.slice_id END) AS slice_id
FROM ends AS e
LEFT JOIN starting AS s ON e.track_id = s.track_id AND e.ts = s.ts
ASOF LEFT JOIN (SELECT * FROM segment WHERE sublane = 0) AS o
  ON e.track_id = o.track_id AND e.ts >= o.ts
