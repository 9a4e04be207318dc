-- title:   Collection
-- about:   How each rank was collected: its level, every switch that the
--          profile names with what it costs and unlocks, the schedule, and how
--          long the profiler's own calls took (kind call: they run in the
--          program's thread, step holds what it starts and stops).
-- param:   rank INTEGER = NULL  only this rank
-- columns: rank INTEGER, kind VARCHAR, name VARCHAR, value VARCHAR,
--          is_on BOOLEAN, slows VARCHAR, cost VARCHAR, unlocks VARCHAR,
--          count BIGINT, dur BIGINT
-- needs:   profile, slice, track, switch_meaning
WITH given AS (
  SELECT
    rank,
    level,
    CASE WHEN json_valid(switches) THEN switches::JSON END AS switches
  FROM profile
  WHERE ($rank IS NULL OR rank = $rank)
), told AS (
  SELECT
    g.rank,
    CASE WHEN starts_with(e.key, '_') THEN e.key[2:] ELSE e.key END AS name,
    e.type,
    CASE e.type
      WHEN 'ARRAY' THEN array_to_string(
        list_transform(
          e.value ->> '$[*]', lambda one: split_part(one, '.', -1)
        ),
        '+'
      )
      WHEN 'NULL' THEN NULL
      ELSE e.value ->> '$'
    END AS value
  FROM given AS g, json_each(g.switches) AS e
  WHERE e.key NOT IN ('schedule', '_profiler_level')
), switched AS (
  SELECT
    rank,
    name,
    value,
    CASE type
      WHEN 'BOOLEAN' THEN value = 'true'
      WHEN 'VARCHAR' THEN
        lower(value) NOT IN ('', 'off', 'false', 'none', '0')
        AND NOT ends_with(value, '_NONE')
      WHEN 'ARRAY' THEN value <> ''
      WHEN 'OBJECT' THEN TRUE
      WHEN 'NULL' THEN FALSE
      -- A threshold of 0 lets everything through.
      ELSE name LIKE '%threshold' OR TRY_CAST(value AS DOUBLE) <> 0
    END AS is_on
  FROM told
), scheduled AS (
  SELECT
    rank,
    unnest(['skip_first', 'wait', 'warmup', 'active', 'repeat']) AS name,
    unnest(
      switches ->> [
        '$.schedule.skip_first', '$.schedule.wait', '$.schedule.warmup',
        '$.schedule.active', '$.schedule.repeat'
      ]
    ) AS value
  FROM given
), called AS (
  SELECT
    s.rank,
    regexp_extract(s.name, ': (\w+)$', 1) AS name,
    count(*) AS count,
    sum(s.dur)::BIGINT AS dur
  FROM slice AS s
  JOIN track AS t ON t.track_id = s.track_id
  WHERE ($rank IS NULL OR s.rank = $rank)
    AND t.kind = 'python'
    AND regexp_matches(
      s.name,
      '^(torch_npu|mindspore)/profiler/profiler(_interface)?\.py\(\d+\): '
      '(start|stop|step|start_trace|stop_trace)$'
    )
  GROUP BY s.rank, 2
), listed AS (
  SELECT
    rank, 1 AS place, 'level' AS kind, 'profiler_level' AS name,
    level AS value, TRUE AS is_on,
    -- By the vendor's word launches of collectives take longer, too.
    CASE WHEN level = 'Level2' THEN 'host' END AS slows,
    CASE WHEN level = 'Level2' THEN 'calls of the runtime and of GE are written'
    END AS cost,
    'Level1: CANN calls, plane tasks of collectives, units of the cores;'
    ' Level2: runtime and GE calls, sizes of copies' AS unlocks,
    NULL::BIGINT AS count, NULL::BIGINT AS dur
  FROM given
  WHERE level IS NOT NULL
  UNION ALL
  SELECT
    s.rank, 2, 'switch', s.name, s.value, s.is_on,
    CASE WHEN s.is_on THEN m.slows END,
    m.cost, m.unlocks, NULL, NULL
  FROM switched AS s
  LEFT JOIN switch_meaning AS m ON m.name = s.name
  UNION ALL
  SELECT rank, 3, 'schedule', name, value, NULL, NULL, NULL, NULL, NULL, NULL
  FROM scheduled
  WHERE value IS NOT NULL
  UNION ALL
  SELECT rank, 4, 'call', name, NULL, NULL, NULL, NULL, NULL, count, dur
  FROM called
)
SELECT rank, kind, name, value, is_on, slows, cost, unlocks, count, dur
FROM listed
ORDER BY
  rank,
  place,
  is_on DESC,
  slows DESC NULLS LAST,
  list_position(
    ['skip_first', 'wait', 'warmup', 'active', 'repeat'], name
  ),
  name
