-- view: kernel
-- about: The kernels of the table or, without one, those of the lanes. What only a
--        table tells of a kernel is stored nowhere in the other case.
FROM listed_kernel
UNION ALL BY NAME
FROM drawn_kernel
