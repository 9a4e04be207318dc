-- title:   Clocks of the ranks
-- about:   How far each rank's clock is ahead of another's, from collectives of
--          both, which all ranks leave at about the same instant: the median
--          over matched ones (same name, same turn) of how much later they end.
--          Of use where it is well above spread_ns, the distance between the
--          quartiles. Times are shown as each rank has them.
-- param:   reference INTEGER = NULL  this rank; the first one if not given
-- columns: rank INTEGER, reference INTEGER, matched BIGINT,
--          ahead_ns BIGINT, spread_ns BIGINT
-- needs:   collective
WITH turn AS (
  SELECT
    rank,
    name,
    ts + dur AS end_ts,
    row_number() OVER (
      PARTITION BY rank, device_id, name ORDER BY ts
    ) AS turn
  FROM collective
), ended AS (
  SELECT t.rank, t.name, t.turn, max(t.end_ts) AS end_ts
  FROM turn AS t
  GROUP BY t.rank, t.name, t.turn
), later AS (
  SELECT c.rank, r.rank AS reference, c.end_ts - r.end_ts AS ns
  FROM ended AS c
  JOIN ended AS r
    ON r.name = c.name
    AND r.turn = c.turn
    AND r.rank = coalesce($reference, (SELECT min(a.rank) FROM collective AS a))
    AND r.rank <> c.rank
)
SELECT
  l.rank,
  l.reference,
  count(*) AS matched,
  quantile_disc(l.ns, 0.5) AS ahead_ns,
  quantile_disc(l.ns, 0.75) - quantile_disc(l.ns, 0.25) AS spread_ns
FROM later AS l
GROUP BY l.rank, l.reference
ORDER BY l.rank
