-- title:   Lengths of calls
-- about:   How many calls of a kernel's operator are how long: the range from
--          the shortest to the longest in equal parts (bucket 0 holds the
--          shortest), without the empty ones. Operators as in call_rank.
-- param:   kernel_id BIGINT     the kernel
-- param:   step INTEGER = NULL  only calls of this step
-- param:   parts BIGINT = 240   so many parts
-- columns: bucket BIGINT, count BIGINT
-- needs:   kernel
WITH one AS (
  SELECT rank, name, type
  FROM kernel
  WHERE kernel_id = $kernel_id
), alike AS (
  SELECT k.dur, min(k.dur) OVER () AS least, max(k.dur) OVER () AS most
  FROM kernel AS k
  JOIN one AS o
    ON o.rank = k.rank
    AND o.type IS NOT DISTINCT FROM k.type
    AND (o.type IS NOT NULL OR o.name = k.name)
  WHERE $step IS NULL OR k.step = $step
)
SELECT
  ((dur - least)::HUGEINT * greatest($parts, 1)
    // (most - least + 1))::BIGINT AS bucket,
  count(*) AS count
FROM alike
GROUP BY bucket
ORDER BY bucket
