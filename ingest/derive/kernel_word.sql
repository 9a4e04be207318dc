-- table: word
-- about: Texts of the kernels of a table that are shown as slices.
SELECT
  (SELECT max(code) FROM word) + row_number() OVER (ORDER BY text) AS code,
  text
FROM (
  SELECT name AS text FROM kernel_row
  UNION
  SELECT core FROM kernel_row
  UNION
  SELECT 'X'
)
WHERE text NOT IN (SELECT text FROM word)
