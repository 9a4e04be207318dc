-- table: queue
-- about: The same by the number that both calls have in their args, for a file
--        that lost its arrows: the last Enqueue of the number before it.
WITH numbered AS (
  SELECT
    c.slice_id,
    c.ts,
    c.takes,
    json_extract_string(a.args, '$.correlation_id') AS number
  FROM queue_call AS c
  JOIN slice_arg AS a USING (arg_set_id)
)
SELECT d.slice_id, e.slice_id AS enqueue_slice_id
FROM (FROM numbered WHERE takes) AS d
ASOF JOIN (FROM numbered WHERE NOT takes) AS e
  ON d.number = e.number AND d.ts >= e.ts
