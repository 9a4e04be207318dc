-- title:   Message sizes
-- about:   What collectives moved by the size of a message, in powers of two,
--          over all peers: how fast each size moves over a link. Small
--          messages that move slowly are cost of launching, not of the link.
-- param:   rank INTEGER = NULL       only this rank
-- param:   step INTEGER = NULL       only this step
-- param:   operation VARCHAR = NULL  only such collectives: hcom_alltoallv
-- columns: rank INTEGER, device_id INTEGER, operation VARCHAR, task VARCHAR,
--          transport VARCHAR, link VARCHAR, from_bytes BIGINT, count BIGINT,
--          bytes BIGINT, total BIGINT, bytes_per_s DOUBLE,
--          min_bytes_per_s DOUBLE, max_bytes_per_s DOUBLE
-- needs:   link
SELECT
  rank,
  device_id,
  operation,
  task,
  transport,
  link,
  from_bytes,
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
GROUP BY rank, device_id, operation, task, transport, link, from_bytes
ORDER BY rank, device_id, operation, task, transport, link, from_bytes
