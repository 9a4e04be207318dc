-- about: Kernels of a table none of which is on the timeline beside it.
SELECT
  '' AS file,
  'info' AS severity,
  count(*) AS count,
  'no kernel of the table is on the timeline: they are of different runs'
    AS sample
FROM kernel
HAVING count(*) > 0 AND count(slice_id) = 0
