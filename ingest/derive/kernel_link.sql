-- table: kernel_link
-- about: The slice of each row of the kernel table: same device and name (N/A is
--        none), same start within 1 ns, by which some writers differ.
WITH device AS (
  SELECT p.slice_id, p.ts, p.name, p.stream_id, l.device_id
  FROM placed AS p
  JOIN lane AS l USING (track_id)
  WHERE l.kind IN ('stream', 'group')
)
SELECT
  k.row_number,
  arg_min(d.slice_id, (
    abs(k.ts - d.ts), k.stream_id IS DISTINCT FROM d.stream_id, d.slice_id
  )) AS slice_id
FROM (
  SELECT *, unnest([ts - 1, ts, ts + 1]) AS near_ts FROM kernel_row
) AS k
JOIN word AS w ON k.name = CASE w.text WHEN 'N/A' THEN '' ELSE w.text END
JOIN device AS d
  ON k.near_ts = d.ts
  AND d.name = w.code
  AND (k.device_id = d.device_id OR k.device_id IS NULL OR d.device_id IS NULL)
GROUP BY k.row_number
