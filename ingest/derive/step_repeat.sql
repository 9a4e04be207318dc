-- table: step_repeat
-- about: Iterations found by their kernels: from the start of the first one to the
--        end of the last one.
SELECT
  'pattern' AS source,
  'iteration' AS kind,
  (row_number() OVER (ORDER BY r.first))::INTEGER AS step,
  f.ts,
  l.end_ts,
  NULL::VARCHAR AS name
FROM repeat_place AS r
JOIN busiest_kernel AS f ON r.first = f.place
JOIN busiest_kernel AS l ON r.past - 1 = l.place
