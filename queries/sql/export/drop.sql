DROP VIEW IF EXISTS export_counter;
DROP VIEW IF EXISTS export_slice;
DROP TABLE IF EXISTS export_lane;
DROP TABLE IF EXISTS export_part;
DROP TABLE IF EXISTS export_track;
DROP TABLE IF EXISTS export_window;
