-- title:   Lanes
-- about:   The lanes of the timeline from top to bottom.
-- param:   rank INTEGER = NULL  only this rank
-- param:   kind VARCHAR = NULL of python|cann|host|stream|group|plane|
--          overlap|step|async|counter|device|gap  only this kind
-- columns: track_id BIGINT, rank INTEGER, device_id INTEGER, kind VARCHAR,
--          process_name VARCHAR, process_label VARCHAR,
--          thread_name VARCHAR, pid_text VARCHAR, tid_text VARCHAR,
--          stream_id BIGINT, sort_order BIGINT, "group" VARCHAR
-- needs:   track
SELECT
  t.track_id,
  t.rank,
  t.device_id,
  t.kind,
  t.process_name,
  t.process_label,
  t.thread_name,
  t.pid_text,
  t.tid_text,
  t.stream_id,
  t.sort_order,
  t.group
FROM track AS t
WHERE ($rank IS NULL OR t.rank = $rank)
  AND ($kind IS NULL OR t.kind = $kind)
ORDER BY t.rank, t.sort_order, t.track_id
