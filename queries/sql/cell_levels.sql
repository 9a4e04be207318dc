-- title:   Levels of detail
-- about:   The levels at which cells are stored, finest first; a cell of a
--          level is 2^level ns wide. Below the finest, ask for slices.
-- param:   rank INTEGER = NULL  only this rank: each has its own levels
-- columns: level INTEGER, cells BIGINT
-- needs:   lod, track
SELECT level::INTEGER AS level, count(*) AS cells
FROM lod
WHERE $rank IS NULL
  OR track_id IN (SELECT track_id FROM track WHERE rank = $rank)
GROUP BY level
ORDER BY level
