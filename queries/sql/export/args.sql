-- The args of the wanted slices in one stretch of slice_arg.
SELECT arg_set_id, args
FROM slice_arg
WHERE arg_set_id BETWEEN $first AND $last
  AND arg_set_id IN (SELECT unnest($wanted));
