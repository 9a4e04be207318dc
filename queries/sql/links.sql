-- title:   Links
-- about:   What collectives moved to and from each peer, by task and link, most
--          time first: messages, their bytes, bytes_per_s of their bytes over
--          their time, and that of the slowest and the fastest message.
--          median_ratio is bytes_per_s over the median of the links of the
--          same kind and task on that rank. Tasks to several peers run at once.
--          A message is what one task moves: a collective of n ranks cuts its
--          bytes by n.
-- param:   rank INTEGER = NULL         only this rank
-- param:   step INTEGER = NULL         only this step
-- param:   operation VARCHAR = NULL    only such collectives: hcom_alltoallv
-- param:   least_bytes BIGINT = NULL   only sizes from here, a power of two
-- param:   limit BIGINT = NULL         so many rows
-- columns: rank INTEGER, device_id INTEGER, "group" VARCHAR, number INTEGER,
--          peer INTEGER, task VARCHAR, transport VARCHAR, link VARCHAR,
--          count BIGINT, bytes BIGINT, total BIGINT, bytes_per_s DOUBLE,
--          min_bytes_per_s DOUBLE, max_bytes_per_s DOUBLE,
--          median_ratio DOUBLE
-- needs:   link
WITH used AS (
  SELECT
    rank, device_id, "group", number, peer, task, transport, link,
    sum(count)::BIGINT AS count,
    sum(bytes)::BIGINT AS bytes,
    sum(total)::BIGINT AS total,
    sum(bytes)::DOUBLE * 1e9 / nullif(sum(total), 0) AS bytes_per_s,
    min(min_bytes_per_s) AS min_bytes_per_s,
    max(max_bytes_per_s) AS max_bytes_per_s
  FROM link
  WHERE ($rank IS NULL OR rank = $rank)
    AND ($step IS NULL OR step = $step)
    AND ($operation IS NULL OR operation = $operation)
    AND ($least_bytes IS NULL OR from_bytes >= $least_bytes)
  GROUP BY rank, device_id, "group", number, peer, task, transport, link
)
SELECT
  *,
  bytes_per_s / median(bytes_per_s) OVER (
    PARTITION BY rank, device_id, task, transport, link
  ) AS median_ratio
FROM used
ORDER BY total DESC, rank, device_id, "group", number, task, transport, link
LIMIT $limit
