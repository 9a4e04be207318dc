-- The slices of a part in the order in which they are drawn: by start, the
-- longer first, so that what contains comes before what is contained.
SELECT
  s.slice_id,
  l.lane,
  s.ts,
  s.dur,
  s.name,
  s.category,
  s.phase,
  s.arg_set_id
FROM export_slice AS s
JOIN export_lane AS l
  ON l.track_id = s.track_id
  AND l.sublane = s.sublane
  AND l.band = s.band
WHERE s.rank = $rank
  AND s.start_ts >= $from_ts
  AND s.start_ts < $to_ts
ORDER BY s.ts, s.dur DESC, l.lane, s.depth, s.slice_id;
