-- about: Slices in their order, for the pass that nests them.
SELECT slice_id, track_id, ts, dur, enum_code(class) AS code
FROM placed
