-- view: kernel
-- about: The kernels of a profile without a kernel table: the columns of the table,
--        which has no rows, are added when they are asked for and stored nowhere.
FROM drawn_kernel
UNION ALL BY NAME
FROM kernel_row
