-- The launches of a call and of the calls inside it.
CREATE MACRO launched_by(call_id) AS TABLE
WITH call AS (
  SELECT *
  FROM slice
  WHERE slice_id = call_id
), inside AS (
  SELECT s.slice_id
  FROM slice AS s
  JOIN call AS c ON c.track_id = s.track_id
  WHERE s.ts >= c.ts
    AND s.end_ts <= c.end_ts
    -- Of twins in time, only what lies deeper is inside.
    AND (s.depth > c.depth OR s.slice_id = c.slice_id)
)
SELECT *
FROM launch_link
WHERE host_slice_id IN (SELECT slice_id FROM inside)
UNION
SELECT *
FROM launch_link
WHERE enqueue_slice_id IN (SELECT slice_id FROM inside)
