-- title:   Gaps by length
-- about:   How many gaps there are of each order of magnitude, from from_ns up
--          to but not including to_ns, and how much time they hold: many short
--          ones may cost more than the longest. gap_share is of all gaps here.
-- param:   rank INTEGER = NULL      only this rank
-- param:   step INTEGER = NULL      only gaps with their middle in this step
-- param:   kind VARCHAR = 'device'  device (no work) or compute (no kernel)
-- param:   min_dur BIGINT = NULL    only gaps from this length on, ns
-- columns: rank INTEGER, device_id INTEGER, kind VARCHAR, from_ns BIGINT,
--          to_ns BIGINT, count BIGINT, total BIGINT, wait_ns BIGINT,
--          idle_ns BIGINT, longest BIGINT, gap_share DOUBLE
-- needs:   gap
WITH binned AS (
  SELECT
    rank,
    device_id,
    kind,
    -- Digits, not a logarithm: exact at the borders.
    length(dur::VARCHAR) AS digits,
    count(*) AS count,
    sum(dur)::BIGINT AS total,
    sum(wait_ns)::BIGINT AS wait_ns,
    sum(idle_ns)::BIGINT AS idle_ns,
    max(dur) AS longest
  FROM gap
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($kind IS NULL OR kind = $kind)
    AND ($min_dur IS NULL OR dur >= $min_dur)
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
  ) AS gap_share
FROM binned
ORDER BY rank, device_id, kind, digits
