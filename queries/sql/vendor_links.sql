-- title:   Links as the vendor has them
-- about:   What communication_matrix.json says went from this rank to each
--          other over all collectives of an operation, beside what the
--          timeline's plane tasks moved, most bytes first: bytes and total
--          are the vendor's, own_bytes and own_total ours, NULL where the
--          timeline has none. bytes_per_s is of the vendor's own figures;
--          transfers of several planes run at once.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- param:   limit BIGINT = NULL  so many rows
-- columns: rank INTEGER, step INTEGER, operation VARCHAR, "group" VARCHAR,
--          src INTEGER, dst INTEGER, peer INTEGER, transport VARCHAR,
--          bytes BIGINT, own_bytes BIGINT, total BIGINT, own_total BIGINT,
--          bytes_per_s DOUBLE, about VARCHAR
-- needs:   vendor_link, link
WITH own AS (
  SELECT
    rank,
    step,
    "group",
    lower(regexp_replace(operation, '^hcom_', '')) AS operation,
    -- Within the rank itself some tasks name it and some name nobody.
    CASE WHEN link = 'ON_CHIP' THEN -1 ELSE number END AS number,
    sum(bytes)::BIGINT AS bytes,
    sum(total)::BIGINT AS total
  FROM link
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
  GROUP BY ALL
)
SELECT
  v.rank,
  v.step,
  v.operation,
  v."group",
  v.src,
  v.dst,
  v.peer,
  v.transport,
  v.bytes,
  o.bytes AS own_bytes,
  v.total,
  o.total AS own_total,
  v.bytes * 1e9 / nullif(v.total, 0) AS bytes_per_s,
  CASE
    WHEN o.total IS NULL
    THEN 'the timeline has no plane task of it'
    WHEN v.bytes = o.bytes AND abs(v.total - o.total) < 1000
    THEN 'the same'
    ELSE 'the vendor counts other tasks, or other collectives, than the'
      || ' timeline has in this step'
  END AS about
FROM vendor_link AS v
LEFT JOIN own AS o
  ON o.rank = v.rank
  AND o.step IS NOT DISTINCT FROM v.step
  AND o."group" IS NOT DISTINCT FROM v.own_group
  AND o.operation = lower(v.operation)
  AND o.number = CASE WHEN v.src = v.dst THEN -1 ELSE v.dst END
WHERE v.choice = 'total'
  AND ($rank IS NULL OR v.rank = $rank)
  AND ($step IS NULL OR v.step = $step)
ORDER BY v.bytes DESC NULLS LAST, v.rank, v.step, v.operation, v.dst
LIMIT $limit
