-- title:   Levels of detail
-- about:   The levels at which cells are stored, finest first; a cell of a
--          level is 2^level ns wide. Below the finest, ask for slices.
-- columns: level INTEGER, cells BIGINT
-- needs:   lod
SELECT level::INTEGER AS level, count(*) AS cells
FROM lod
GROUP BY level
ORDER BY level
