-- What an allocator has given away in all, at every instant that says so: its
-- samples, and the totals beside each allocation. An instant may be told of
-- several times: the most counts. A component such as PTA+GE sums up others.
SELECT s.rank, s.device_id, s.component, c.ts, c.value * s.unit_bytes AS bytes
FROM memory_series AS s
JOIN counter AS c ON c.series_id = s.series_id
WHERE s.key = 'allocated'
  AND NOT contains(s.component, '+')
UNION ALL
SELECT rank, device_id, component, ts, allocated
FROM allocation
WHERE ts IS NOT NULL
  AND allocated IS NOT NULL
UNION ALL
SELECT rank, device_id, component, release_ts, release_allocated
FROM allocation
WHERE release_ts IS NOT NULL
  AND release_allocated IS NOT NULL
