-- The calls of the groups of shape_spread that spread: a call is slow that
-- takes least_spread times the shortest of its group (least) or more; most is
-- the longest of the group. Both the groups and the rows of kernel that count
-- are named as tables of theirs.
CREATE MACRO spread_call(shaped, kernels, least_spread) AS TABLE
WITH spread AS (
  SELECT unnest(shape_ids) AS shape_id, shape_group, kind, least, most
  FROM query_table(shaped)
  WHERE spreads
)
SELECT
  k.*,
  s.shape_group,
  s.kind,
  s.least,
  s.most,
  k.dur >= least_spread * greatest(s.least, 1) AS slow
FROM query_table(kernels) AS k
JOIN spread AS s ON s.shape_id = k.shape_id
