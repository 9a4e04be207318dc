-- title:   Settings before and after
-- about:   What the profiles of two runs say of how they were made and
--          collected (versions, switches, level, ranks). Several values of the
--          ranks of a run stand with commas. changed: the values differ, or
--          only one run names it.
-- columns: setting VARCHAR, base VARCHAR, test VARCHAR, changed BOOLEAN
-- needs:   profile
WITH profiles AS (
  SELECT 'base' AS side, *
  FROM base.profile
  UNION ALL
  SELECT 'test', *
  FROM test.profile
), facts AS (
  SELECT
    side,
    unnest(
      [
        {'name': 'producer', 'value': producer},
        {'name': 'host', 'value': host},
        {'name': 'level', 'value': level},
        {'name': 'world_size', 'value': world_size::VARCHAR}
      ],
      recursive := true
    )
  FROM profiles
  UNION ALL
  SELECT side, 'ranks', count(*)::VARCHAR
  FROM profiles
  GROUP BY side
  UNION ALL
  SELECT p.side, 'version ' || e.key, e.value ->> '$'
  FROM profiles AS p, json_each(p.versions) AS e
  WHERE json_valid(p.versions)
  UNION ALL
  SELECT p.side, 'switch ' || e.key, e.value ->> '$'
  FROM profiles AS p, json_each(p.switches) AS e
  -- The level is a setting of its own already.
  WHERE json_valid(p.switches) AND e.key <> '_profiler_level'
), settings AS (
  SELECT side, name, string_agg(DISTINCT value, ', ' ORDER BY value) AS value
  FROM facts
  GROUP BY side, name
)
SELECT
  coalesce(b.name, t.name) AS setting,
  b.value AS base,
  t.value AS test,
  b.value IS DISTINCT FROM t.value AS changed
FROM (FROM settings WHERE side = 'base') AS b
FULL JOIN (FROM settings WHERE side = 'test') AS t USING (name)
WHERE coalesce(b.value, t.value) IS NOT NULL
ORDER BY changed DESC, setting
