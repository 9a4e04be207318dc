-- table: last_launch
-- about: The kernel of each step that was launched last.
SELECT
  $rank::INTEGER AS rank,
  k.step,
  max(l.launch_end) AS launch_end,
  arg_max(k.dur, (l.launch_end, k.kernel_id)) AS dur
FROM kernel AS k
JOIN launch_link AS l ON l.slice_id = k.slice_id
WHERE k.step IS NOT NULL
GROUP BY k.step
ORDER BY k.step
