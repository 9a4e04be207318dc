-- The selection as tables, filled by the statements that follow, and as the
-- views that everything else of an export reads.

CREATE OR REPLACE TEMP TABLE export_window (
  rank INTEGER,
  from_ts BIGINT,   -- NULL: from the beginning
  to_ts BIGINT,     -- exclusive; NULL: to the end
  clip BOOLEAN,     -- whether slices are cut at the borders
  listed BOOLEAN    -- whether only the slices of export_part are meant
);

CREATE OR REPLACE TEMP TABLE export_track (track_id BIGINT);

CREATE OR REPLACE TEMP TABLE export_part (slice_id BIGINT);

-- A band is as many levels of nesting as a viewer keeps on one lane.
CREATE OR REPLACE TEMP VIEW export_slice AS
WITH chosen AS (
  SELECT
    s.*,
    greatest(s.ts, CASE WHEN w.clip THEN w.from_ts END) AS cut_ts,
    least(s.ts + s.dur, CASE WHEN w.clip THEN w.to_ts END) AS cut_end
  FROM slice AS s
  JOIN export_window AS w ON w.rank = s.rank
  WHERE (w.to_ts IS NULL OR s.ts < w.to_ts)
    AND (w.from_ts IS NULL OR s.ts >= w.from_ts OR s.ts + s.dur > w.from_ts)
    AND s.track_id IN (SELECT track_id FROM export_track)
    AND (NOT w.listed OR s.slice_id IN (SELECT slice_id FROM export_part))
)
SELECT
  slice_id,
  rank,
  track_id,
  coalesce(sublane, 0) AS sublane,
  coalesce(depth, 0) AS depth,
  coalesce(depth, 0) // 512 AS band,
  ts AS start_ts,
  cut_ts AS ts,
  cut_end - cut_ts AS dur,
  name,
  category,
  phase,
  unfinished,
  arg_set_id
FROM chosen;

-- JSON has no number for NaN and the infinities.
CREATE OR REPLACE TEMP VIEW export_counter AS
SELECT c.series_id, r.track_id, r.rank, r.name, r.key, c.ts, c.value
FROM counter AS c
JOIN counter_series AS r ON r.series_id = c.series_id
JOIN export_window AS w ON w.rank = r.rank
WHERE (w.to_ts IS NULL OR c.ts < w.to_ts)
  AND (w.from_ts IS NULL OR c.ts >= w.from_ts)
  AND NOT w.listed
  AND r.track_id IN (SELECT track_id FROM export_track)
  AND isfinite(c.value);
