-- table: counter
-- about: Counter samples in the order of their series and time.
SELECT $base + series AS series_id, ts, value
FROM read_counter
ORDER BY series_id, ts
