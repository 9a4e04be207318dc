-- table: placed
-- about: Slices with their lane, class and final number. Numbers count by time
--        block, lane and start, longer slices first, so that a window of time
--        is a run of rows and a lane's slices stand in the order of nesting.
WITH ordered AS (
  SELECT
    t.track_id,
    s.ts,
    coalesce(s.dur, greatest($trace_end - s.ts, 0)) AS dur,
    s.name,
    s.category,
    p.class,
    p.pattern,
    s.task_type,
    coalesce(s.stream_id, t.stream_id) AS stream_id,
    s.task_id,
    s.connection_id,
    s.phase,
    s.dur IS NULL AS unfinished,
    s.arg_set_id
  FROM read_slice AS s
  JOIN lane AS t USING (lane)
  JOIN pattern AS p
    ON s.lane = p.lane
    AND s.name = p.name_code
    AND coalesce(s.category, -1) = p.category_code
    AND coalesce(s.task_type, -1) = p.task_type_code
  ORDER BY
    s.ts >> $block_bits, t.track_id, s.ts,
    coalesce(s.dur, greatest($trace_end - s.ts, 0)) DESC, s.seq
)
SELECT $base + row_number() OVER () - 1 AS slice_id, *
FROM ordered
