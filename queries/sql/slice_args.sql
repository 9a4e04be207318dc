-- title:   Args of a slice
-- about:   The args of a slice as the file writes them: JSON text.
-- param:   arg_set_id BIGINT  arg_set_id of the slice
-- columns: arg_set_id BIGINT, args VARCHAR
-- needs:   slice_arg
SELECT arg_set_id, args
FROM slice_arg
WHERE arg_set_id = $arg_set_id
