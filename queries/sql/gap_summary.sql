-- title:   Gaps by length
-- about:   How many gaps there are of each order of magnitude, from from_ns up
--          to but not including to_ns, and how much time they hold: many short
--          ones may cost more than the longest. gap_share is of all gaps here;
--          inside_ns is what of total lies in the range of time asked about.
-- param:   rank INTEGER = NULL      only this rank
-- param:   step INTEGER = NULL      only gaps with their middle in this step
-- param:   kind VARCHAR = 'device' of device|compute  no work, or no kernel
-- param:   min_dur BIGINT = NULL    only gaps from this length on, ns
-- param:   from_ts BIGINT = NULL    only what ends after this instant, ns
-- param:   to_ts BIGINT = NULL      only what begins before this instant, ns
-- columns: rank INTEGER, device_id INTEGER, kind VARCHAR, from_ns BIGINT,
--          to_ns BIGINT, count BIGINT, total BIGINT, wait_ns BIGINT,
--          idle_ns BIGINT, longest BIGINT, gap_share DOUBLE,
--          inside_ns BIGINT
-- needs:   gap
WITH binned AS MATERIALIZED (
  SELECT
    rank,
    device_id,
    kind,
    -- Digits, not a logarithm: exact at the borders. A text of each would take
    -- longer than all else.
    CASE
      WHEN dur >= 1_000_000 THEN length(dur::VARCHAR)
      WHEN dur >= 100_000 THEN 6
      WHEN dur >= 10_000 THEN 5
      WHEN dur >= 1_000 THEN 4
      WHEN dur >= 100 THEN 3
      WHEN dur >= 10 THEN 2
      ELSE length(dur::VARCHAR)
    END AS digits,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    sum(wait_ns)::BIGINT AS wait_ns,
    sum(idle_ns)::BIGINT AS idle_ns,
    max(dur) AS longest,
    sum(
      least(ts + dur, coalesce($to_ts, ts + dur))
        - greatest(ts, coalesce($from_ts, ts))
    )::BIGINT AS inside_ns
  FROM gap
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($kind IS NULL OR kind = $kind)
    AND ($min_dur IS NULL OR dur >= $min_dur)
    AND ($from_ts IS NULL OR ts + dur > $from_ts)
    AND ($to_ts IS NULL OR ts < $to_ts)
  GROUP BY rank, device_id, kind, digits
)
SELECT
  rank,
  device_id,
  kind,
  ('1' || repeat('0', digits - 1))::BIGINT AS from_ns,
  -- A BIGINT has 19 digits: the last bin ends with it.
  coalesce(
    try_cast('1' || repeat('0', digits) AS BIGINT), 9223372036854775807
  ) AS to_ns,
  count,
  total,
  wait_ns,
  idle_ns,
  longest,
  total / nullif(
    sum(total) OVER (PARTITION BY rank, device_id, kind), 0
  ) AS gap_share,
  inside_ns
FROM binned
ORDER BY rank, device_id, kind, digits
