-- Which patterns of fusion_step the graph engine fused: how many operators of
-- fusion_op.csv stand for operators that a pattern fits, in the order of the
-- file. The file names nodes of the graph and no types: the last part of a
-- name, without its number, is taken for the type.
WITH node AS (
  SELECT
    f.rank,
    f.model,
    f.name,
    o.place,
    lower(regexp_extract(trim(o.node), '([^/]*?)(_[0-9]+)?$', 1)) AS type
  FROM fused_operator AS f,
    LATERAL (
      SELECT
        unnest(string_split(f.original, ';')) AS node,
        unnest(range(len(string_split(f.original, ';')))) AS place
    ) AS o
  WHERE trim(o.node) <> ''
), known AS (
  SELECT type, chr(65536 + row_number() OVER (ORDER BY type)::INTEGER) AS letter
  FROM (SELECT DISTINCT type FROM node)
), line AS (
  SELECT
    n.rank,
    n.model,
    n.name,
    string_agg(k.letter, '' ORDER BY n.place) AS line
  FROM node AS n
  JOIN known AS k ON k.type = n.type
  GROUP BY n.rank, n.model, n.name
), token AS (
  SELECT
    p.pattern,
    p.place,
    CASE
      WHEN any_value(len(p.types)) = 0 THEN any_value(p.token)
      ELSE '[' || coalesce(string_agg(k.letter, ''), chr(1)) || ']'
    END AS text
  FROM fusion_step AS p
  LEFT JOIN known AS k
    ON len(list_filter(p.types, lambda one: k.type GLOB lower(one))) > 0
  GROUP BY p.pattern, p.place
), pattern AS (
  SELECT pattern, string_agg(text, '' ORDER BY place) AS expression
  FROM token
  GROUP BY pattern
)
SELECT l.rank, p.pattern, count(*) AS count
FROM line AS l
JOIN pattern AS p ON regexp_matches(l.line, p.expression)
GROUP BY l.rank, p.pattern
