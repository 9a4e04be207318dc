-- title:   Rows of the timeline
-- about:   The lanes that hold anything, from top to bottom, streams and planes
--          part by part: how many slices, busy time without double counting,
--          how deep they nest. launches counts the device slices that were
--          launched or put into the task queue there; NULL on device lanes.
--          The lanes device and gap have no slices, only cells.
-- param:   rank INTEGER = NULL      only this rank
-- param:   whole BOOLEAN = FALSE    streams and planes as one row each
-- columns: track_id BIGINT, part VARCHAR, rank INTEGER, device_id INTEGER,
--          kind VARCHAR, process_name VARCHAR, process_label VARCHAR,
--          thread_name VARCHAR, tid_text VARCHAR, stream_id BIGINT,
--          "group" VARCHAR, sort_order BIGINT, slices BIGINT, busy BIGINT,
--          launches BIGINT, deepest INTEGER, sublanes INTEGER, ts BIGINT,
--          dur BIGINT
-- needs:   lane_part, track
WITH parted AS (
  SELECT track_id
  FROM lane_part
  WHERE part IS NOT NULL
    AND $whole IS NOT TRUE
)
SELECT
  p.track_id,
  p.part,
  t.rank,
  t.device_id,
  t.kind,
  t.process_name,
  t.process_label,
  t.thread_name,
  t.tid_text,
  t.stream_id,
  t.group,
  t.sort_order,
  p.slices,
  p.busy,
  p.launches,
  p.deepest,
  p.sublanes,
  p.ts,
  p.dur
FROM lane_part AS p
JOIN track AS t ON t.track_id = p.track_id
WHERE ($rank IS NULL OR t.rank = $rank)
  AND (p.part IS NOT NULL) = (p.track_id IN (FROM parted))
ORDER BY
  t.rank,
  t.sort_order,
  t.track_id,
  list_position(
    ['cube', 'vector', 'compute', 'transfer', 'waiting', 'control'], p.part
  )
