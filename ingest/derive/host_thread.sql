-- table: host_thread
-- about: Lanes of one host thread under one number: it has the same id on the CANN
--        and the Python lanes.
SELECT track_id, kind, dense_rank() OVER (ORDER BY tid_text)::INTEGER AS thread
FROM lane
WHERE tid_text IS NOT NULL AND kind IN ('python', 'cann', 'host')
