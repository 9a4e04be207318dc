-- table: kernel_metric
-- about: Every measured column of a kernel under its own name.
SELECT k.kernel_id, k.rank, m.metric, m.value
FROM kernel AS k
JOIN (
  SELECT row_number, unnest(metrics, recursive := true) FROM kernel_metrics_row
) AS m USING (row_number)
ORDER BY k.kernel_id
