-- table: kernel
-- about: Kernels without the number of their row in the file.
SELECT * EXCLUDE (row_number) FROM kernel_numbered ORDER BY kernel_id
