-- about: Spans of derived lanes as if they were slices, in time.
SELECT row_number() OVER () AS slice_id, track_id, ts, dur, 0::UTINYINT AS code
FROM stretch
