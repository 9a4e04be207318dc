-- about: How many lanes, and parts of lanes, have cells.
SELECT count(*) AS rows
FROM (
  SELECT track_id, part FROM slice
  UNION
  SELECT track_id, NULL FROM slice
  UNION
  SELECT track_id, NULL FROM stretch
)
