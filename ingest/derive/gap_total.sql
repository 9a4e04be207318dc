-- table: gap_total
-- about: The gaps of a step, device, kind and cause, summed up.
SELECT
  $rank::INTEGER AS rank,
  device_id,
  step,
  kind,
  cause,
  count(*) AS count,
  sum(dur)::BIGINT AS total,
  max(dur) AS longest
FROM gap
GROUP BY device_id, step, kind, cause
ORDER BY step, device_id, kind, total DESC, cause
