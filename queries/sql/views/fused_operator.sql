-- What fusion_op.csv says that the graph engine fused: the operator, those that
-- it stands for, and the memory that it takes in all. Without the file there
-- are no rows.
SELECT DISTINCT
  rank,
  "Model Name" AS model,
  trim("Fusion Op") AS name,
  trim("Original Ops", '; ') AS original,
  try_cast(
    try_cast("Memory Total(KB)" AS DECIMAL(30, 6)) * 1024 AS BIGINT
  ) AS bytes
FROM fusion_op
