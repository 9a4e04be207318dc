-- about: How many lanes, and parts of lanes, may have cells.
SELECT (
  SELECT count(DISTINCT track_id) FROM placed
) + (
  SELECT count(*) FROM (SELECT DISTINCT track_id, part FROM part)
) + (
  SELECT count(*) FROM lane WHERE kind IN ('device', 'gap')
) AS rows
