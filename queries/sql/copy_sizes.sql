-- title:   Sizes of copies
-- about:   Bytes and direction of the copies in copy_calls, from their args; no
--          row for a copy that names neither. Ascend writes them at Level2.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: slice_id BIGINT, bytes BIGINT, direction VARCHAR
-- needs:   device_copy, slice_arg
WITH named AS (
  SELECT
    c.slice_id,
    CASE WHEN json_valid(a.args) THEN a.args::JSON END AS args
  FROM device_copy AS c
  JOIN slice_arg AS a ON a.arg_set_id = c.arg_set_id
  WHERE ($rank IS NULL OR c.rank = $rank)
    AND ($step IS NULL OR c.step = $step)
), read AS (
  SELECT
    slice_id,
    coalesce(
      TRY_CAST(args ->> '$."data size(Byte)"' AS BIGINT),
      TRY_CAST(args ->> '$."size(B)"' AS BIGINT),
      TRY_CAST(args ->> '$.bytes' AS BIGINT)
    ) AS bytes,
    coalesce(
      args ->> '$."memcpy direction"',
      args ->> '$.operation',
      args ->> '$.kind'
    ) AS direction
  FROM named
)
SELECT slice_id, bytes, direction
FROM read
WHERE bytes IS NOT NULL OR direction IS NOT NULL
ORDER BY slice_id
