-- table: flow
-- about: Arrows: every end (f, or the t of a chain) with the last start before
--        it, else with the first start of its id, because clocks of host and
--        device may disagree. Starts and ends without a partner stay as they
--        are.
WITH starts AS (
  SELECT * FROM flow_end WHERE phase IN ('s', 't')
), firsts AS (
  SELECT category, flow_key, min(place) AS place
  FROM starts
  WHERE phase = 's'
  GROUP BY category, flow_key
), pairs AS (
  SELECT
    e.category,
    e.flow_key,
    e.place AS end_place,
    coalesce(s.place, f.place) AS start_place
  FROM (SELECT * FROM flow_end WHERE phase IN ('t', 'f')) AS e
  ASOF LEFT JOIN starts AS s
    ON e.category = s.category AND e.flow_key = s.flow_key AND e.place > s.place
  LEFT JOIN firsts AS f ON e.category = f.category AND e.flow_key = f.flow_key
), arrows AS (
  SELECT category, flow_key, start_place, end_place FROM pairs
  UNION ALL
  SELECT s.category, s.flow_key, s.place, NULL
  FROM starts AS s
  ANTI JOIN pairs AS p
    ON s.category = p.category
    AND s.flow_key = p.flow_key
    AND s.place = p.start_place
  WHERE s.phase = 's'
)
SELECT
  $rank::INTEGER AS rank,
  a.category,
  coalesce(s.name, e.name) AS name,
  a.flow_key,
  s.slice_id AS src_slice_id,
  e.slice_id AS dst_slice_id,
  s.track_id AS src_track_id,
  e.track_id AS dst_track_id,
  s.ts AS src_ts,
  e.ts AS dst_ts
FROM arrows AS a
LEFT JOIN flow_end AS s
  ON a.category = s.category
  AND a.flow_key = s.flow_key
  AND a.start_place = s.place
LEFT JOIN flow_end AS e
  ON a.category = e.category
  AND a.flow_key = e.flow_key
  AND a.end_place = e.place
ORDER BY a.category, s.ts, e.ts, a.flow_key
