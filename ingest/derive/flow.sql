-- table: flow
-- about: Arrows: every end (f, or the t of a chain) with the last start before
--        it, else with the first start of its id, because clocks of host and
--        device may disagree. Starts and ends without a partner stay as they
--        are. Phases are numbers: 0 for s, 1 for t, 2 for f.
WITH starts AS (
  SELECT * FROM flow_odd WHERE phase IN (0, 1)
), firsts AS (
  SELECT category, key, min(place) AS place
  FROM starts
  WHERE phase = 0
  GROUP BY category, key
), pairs AS (
  SELECT
    e.category,
    e.key,
    e.place AS end_place,
    coalesce(s.place, f.place) AS start_place
  FROM (SELECT * FROM flow_odd WHERE phase IN (1, 2)) AS e
  ASOF LEFT JOIN starts AS s
    ON e.category = s.category AND e.key = s.key AND e.place > s.place
  LEFT JOIN firsts AS f ON e.category = f.category AND e.key = f.key
), odd_arrows AS (
  SELECT category, key, start_place, end_place FROM pairs
  UNION ALL
  SELECT s.category, s.key, s.place, NULL
  FROM starts AS s
  ANTI JOIN pairs AS p
    ON s.category = p.category
    AND s.key = p.key
    AND s.place = p.start_place
  WHERE s.phase = 0
), arrows AS (
  SELECT
    a.category,
    a.key,
    coalesce(s.name, e.name) AS name,
    s.slice_id AS src_slice_id,
    e.slice_id AS dst_slice_id,
    s.track_id AS src_track_id,
    e.track_id AS dst_track_id,
    s.ts AS src_ts,
    e.ts AS dst_ts
  FROM odd_arrows AS a
  LEFT JOIN flow_odd AS s
    ON a.category = s.category AND a.key = s.key AND a.start_place = s.place
  LEFT JOIN flow_odd AS e
    ON a.category = e.category AND a.key = e.key AND a.end_place = e.place
  UNION ALL
  SELECT
    s.category,
    s.key,
    s.name,
    s.slice_id,
    e.slice_id,
    s.track_id,
    e.track_id,
    s.ts,
    e.ts
  FROM flow_end AS s
  JOIN flow_end AS e ON s.category = e.category AND s.key = e.key
  ANTI JOIN flow_odd AS o ON s.category = o.category AND s.key = o.key
  WHERE s.phase = 0 AND e.phase <> 0
)
SELECT
  $rank::INTEGER AS rank,
  c.text AS category,
  n.text AS name,
  CASE WHEN a.key >= 0 THEN a.key::VARCHAR ELSE k.text END AS flow_key,
  a.* EXCLUDE (category, key, name)
FROM arrows AS a
JOIN word AS c ON a.category = c.code
JOIN word AS n ON a.name = n.code
LEFT JOIN word AS k ON a.key = -1 - k.code
ORDER BY
  c.text,
  a.src_ts,
  a.dst_ts,
  flow_key,
  a.src_slice_id,
  a.dst_slice_id,
  a.src_track_id,
  a.dst_track_id,
  n.text
