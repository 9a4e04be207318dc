-- Numbers the lanes on which the selection draws something, from top to
-- bottom: a lane, its sub-lanes, and its bands of nesting.
CREATE OR REPLACE TEMP TABLE export_lane AS
WITH drawn AS (
  SELECT
    track_id,
    sublane,
    band,
    count(*) AS slices,
    count(*) FILTER (WHERE phase IN ('i', 'n')) AS instants,
    count(*) FILTER (WHERE unfinished) AS unfinished,
    min(ts) AS first_ts,
    0 AS samples
  FROM export_slice
  GROUP BY ALL
  UNION ALL
  SELECT
    track_id,
    0 AS sublane,
    0 AS band,
    0 AS slices,
    0 AS instants,
    0 AS unfinished,
    min(ts) AS first_ts,
    count(*) AS samples
  FROM export_counter
  GROUP BY track_id
)
SELECT
  row_number() OVER (
    ORDER BY t.rank, t.sort_order, d.track_id, d.sublane, d.band
  ) AS lane,
  d.track_id,
  d.sublane,
  d.band,
  any_value(t.rank) AS rank,
  any_value(t.pid_text) AS pid_text,
  any_value(t.process_name) AS process_name,
  any_value(t.process_label) AS process_label,
  any_value(t.tid_text) AS tid_text,
  any_value(t.thread_name) AS thread_name,
  sum(d.slices)::BIGINT AS slices,
  sum(d.instants)::BIGINT AS instants,
  sum(d.unfinished)::BIGINT AS unfinished,
  min(d.first_ts) AS first_ts,
  sum(d.samples)::BIGINT AS samples
FROM drawn AS d
JOIN track AS t ON t.track_id = d.track_id
GROUP BY d.track_id, d.sublane, d.band, t.rank, t.sort_order;
