-- title:   Measured columns of a kernel
-- about:   Counters that the table of kernels gives for one kernel, under the
--          names and in the units of the file.
-- param:   kernel_id BIGINT  the kernel
-- columns: metric VARCHAR, value DOUBLE
-- needs:   kernel_metric
SELECT metric, value
FROM kernel_metric
WHERE kernel_id = $kernel_id
ORDER BY metric
