-- title:   Profiles
-- about:   The profile of each rank: what made it, with which switches, and the
--          time that it covers.
-- columns: rank INTEGER, rank_known BOOLEAN, world_size INTEGER,
--          device_id INTEGER, host VARCHAR, producer VARCHAR,
--          versions VARCHAR, level VARCHAR, switches VARCHAR, name VARCHAR,
--          path VARCHAR, clock VARCHAR, clock_offset BIGINT, ts BIGINT,
--          dur BIGINT
-- needs:   profile
SELECT
  rank,
  rank_known,
  world_size,
  device_id,
  host,
  producer,
  versions,
  level,
  switches,
  name,
  path,
  clock,
  clock_offset,
  ts,
  dur
FROM profile
ORDER BY rank
