-- title:   Operators that the graph engine fused
-- about:   What fusion_op.csv says was fused, beside the kernels of that name:
--          original are the operators that one stands for, bytes the memory
--          that it takes in all, count and total its calls, NULL where none was
--          recorded. Without the file, which msprof writes for models in graph
--          mode, there are no rows.
-- param:   rank INTEGER = NULL  only this rank
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, model VARCHAR, name VARCHAR, original VARCHAR,
--          originals BIGINT, bytes BIGINT, type VARCHAR, count BIGINT,
--          total BIGINT
-- needs:   operator_total, fused_operator
WITH ran AS (
  SELECT
    rank,
    name,
    any_value(type) AS type,
    sum(count)::BIGINT AS count,
    sum(total)::BIGINT AS total
  FROM operator_total
  WHERE $rank IS NULL OR rank = $rank
  GROUP BY rank, name
)
SELECT
  f.rank,
  f.model,
  f.name,
  f.original,
  len(list_filter(
    string_split(f.original, ';'), lambda one: trim(one) <> ''
  ))::BIGINT AS originals,
  f.bytes,
  r.type,
  r.count,
  r.total
FROM fused_operator AS f
LEFT JOIN ran AS r ON r.rank = f.rank AND r.name = f.name
WHERE $rank IS NULL OR f.rank = $rank
ORDER BY r.total DESC NULLS LAST, f.rank, f.model, f.name, f.original
LIMIT $limit
