-- title:   Collection
-- about:   How each rank was collected: its level, every switch that the
--          profile names with what it costs and unlocks, the schedule, and how
--          long the profiler's own calls took (kind call: they run in the
--          program's thread, step holds what it starts and stops).
-- param:   rank INTEGER = NULL  only this rank
-- columns: rank INTEGER, kind VARCHAR, name VARCHAR, value VARCHAR,
--          is_on BOOLEAN, slows VARCHAR, cost VARCHAR, unlocks VARCHAR,
--          count BIGINT, dur BIGINT
-- needs:   profile, slice, track, collection_switch
WITH given AS (
  SELECT
    rank,
    level,
    CASE WHEN json_valid(switches) THEN switches::JSON END AS switches
  FROM profile
  WHERE ($rank IS NULL OR rank = $rank)
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
    rank, 2, 'switch', name, value, is_on, slows, cost, unlocks, NULL, NULL
  FROM collection_switch
  WHERE ($rank IS NULL OR rank = $rank)
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
