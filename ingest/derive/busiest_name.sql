-- about: The names of the kernels of the busiest stream in their order.
SELECT name FROM busiest_kernel ORDER BY place
