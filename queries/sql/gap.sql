-- title:   A gap
-- about:   Where a gap lies and how long it is.
-- param:   gap_id BIGINT  the gap
-- columns: gap_id BIGINT, rank INTEGER, device_id INTEGER, kind VARCHAR,
--          step INTEGER, ts BIGINT, dur BIGINT
-- needs:   gap
SELECT gap_id, rank, device_id, kind, step, ts, dur
FROM gap
WHERE gap_id = $gap_id
