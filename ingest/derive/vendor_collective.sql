-- table: vendor_collective
-- about: The vendor's figures of collectives, each with the collective of the
--        timeline that begins at the same time, and with the plane from which
--        the vendor took them: the one whose own waits and moves sum up to them.
WITH figures AS (
  SELECT *, row_number() OVER () AS place
  FROM collective_figure
  WHERE step IS NULL OR step BETWEEN $first_step AND $last_step
), begun AS (
  -- The file has the start to 0.1 us, from a float that knows it to 0.25 us.
  SELECT f.place, c.collective_id, c.slice_id
  FROM figures AS f
  ASOF JOIN collective AS c ON f.name = c.name AND f.ts + 1000 >= c.ts
  WHERE f.ts - 1000 <= c.ts
), named AS (
  SELECT f.place, c.collective_id, c.slice_id
  FROM figures AS f
  JOIN collective AS c ON f.name = c.name AND f.step = c.step AND c.nth = 1
  WHERE f.ts IS NULL
), matched AS (
  FROM begun UNION ALL FROM named
), planes AS (
  SELECT
    t.collective_slice_id,
    try_cast(regexp_extract(l.thread_name, '(\d+)$', 1) AS INTEGER) AS plane,
    count(*) AS tasks,
    coalesce(sum(t.dur) FILTER (NOT t.moves), 0) AS wait_ns,
    coalesce(sum(t.dur) FILTER (
      t.moves AND t.link IS DISTINCT FROM 'ON_CHIP'
    ), 0) AS transit_ns
  FROM plane_task AS t
  JOIN placed AS p USING (slice_id)
  JOIN lane AS l USING (track_id)
  WHERE t.collective_slice_id IN (SELECT slice_id FROM matched)
  GROUP BY ALL
), taken AS (
  SELECT f.place, min(p.plane) AS plane
  FROM figures AS f
  JOIN matched AS m USING (place)
  JOIN planes AS p ON p.collective_slice_id = m.slice_id
  WHERE f.wait_ns + f.transit_ns > 0
    -- Each task is rounded to whole ns.
    AND abs(f.wait_ns - p.wait_ns) <= p.tasks
    AND abs(f.transit_ns - p.transit_ns) <= p.tasks
  GROUP BY f.place
)
SELECT
  $rank::INTEGER AS rank,
  f.* EXCLUDE (place),
  m.collective_id,
  t.plane
FROM figures AS f
LEFT JOIN matched AS m USING (place)
LEFT JOIN taken AS t USING (place)
