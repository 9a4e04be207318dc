-- title:   What cannot be told
-- about:   What a profile cannot tell, each by the name of the hint that says
--          how to collect it: npuview collect-hint NAME. dur is the time in
--          question, where that can be measured. values are those that sample
--          tells, as a JSON object.
-- param:   rank INTEGER = NULL  only this rank
-- columns: rank INTEGER, name VARCHAR, sample VARCHAR, values VARCHAR,
--          dur BIGINT
-- needs:   profile, missing, track, slice, collection_switch, job_rank,
--          spacing, kernel, counter_series
WITH ascend AS (
  SELECT rank, producer, level
  FROM profile
  WHERE producer <> 'chrome'
), absent AS (
  SELECT
    count(*) FILTER (collected = FALSE) AS missing,
    any_value(ranks) AS ranks
  FROM job_rank
), slowed AS (
  SELECT rank, string_agg(name, ', ' ORDER BY name) AS names
  FROM collection_switch
  WHERE slows = 'host'
  GROUP BY rank
), framed AS (
  SELECT DISTINCT rank FROM slice WHERE category = 'python_function'
), untold AS (
  SELECT rank, name, sample, NULL AS values, NULL::BIGINT AS dur
  FROM missing
  UNION ALL
  SELECT a.rank, 'ranks',
    format(
      '{} of {} ranks are not in this data: why one of them is late is unknown',
      m.missing, m.ranks
    ), {'missing': m.missing, 'ranks': m.ranks}::JSON::VARCHAR, NULL
  FROM ascend AS a
  CROSS JOIN absent AS m
  WHERE m.missing > 0
  UNION ALL
  SELECT s.rank, 'spacing',
    format(
      '{} gaps after AI Core kernels are {} to {} us long, inferred to be made'
      ' by collecting: the true spacing is unknown',
      s.cluster_count, s.cluster_from_ns // 1000, s.cluster_to_ns // 1000
    ), {
      'count': s.cluster_count,
      'from_us': s.cluster_from_ns // 1000,
      'to_us': s.cluster_to_ns // 1000
    }::JSON::VARCHAR, s.cluster_ns
  FROM spacing AS s
  WHERE s.profiler
  UNION ALL
  SELECT a.rank, 'host',
    'host times are inflated by ' || s.names
      || ': the true speed of the host is unknown',
    {'switches': s.names}::JSON::VARCHAR, NULL
  FROM ascend AS a
  JOIN slowed AS s ON s.rank = a.rank
  UNION ALL
  SELECT a.rank, 'lines',
    'no Python frames: nothing can be followed to a line of the program',
    NULL, NULL
  FROM ascend AS a
  WHERE a.rank NOT IN (SELECT rank FROM framed)
    AND a.rank IN (SELECT rank FROM track WHERE kind = 'python')
  UNION ALL
  SELECT rank, 'gc',
    'garbage collection was not recorded: a silent host may be it',
    NULL, NULL
  FROM ascend
  WHERE rank NOT IN (
    SELECT rank FROM collection_switch
    WHERE name = 'gc_detect_threshold' AND is_on
  )
  UNION ALL
  SELECT rank, 'copies', 'copies have no sizes', NULL, NULL
  FROM ascend
  WHERE level IN ('Level0', 'Level1')
    AND rank IN (SELECT rank FROM slice WHERE class = 'copy')
  UNION ALL
  SELECT rank, 'frequency',
    'no counter of the frequency: whether calls are slow for it is unknown',
    NULL, NULL
  FROM ascend
  WHERE rank IN (SELECT rank FROM kernel)
    AND rank NOT IN (
      SELECT rank FROM counter_series WHERE starts_with(name, 'AI Core Freq')
    )
)
SELECT rank, name, sample, values, dur
FROM untold
WHERE rank IN (SELECT rank FROM ascend)
  AND ($rank IS NULL OR rank = $rank)
ORDER BY
  rank,
  list_position(
    [
      'streams', 'steps', 'planes', 'launches', 'cann', 'ranks', 'host',
      'spacing', 'python', 'lines', 'gc', 'units', 'kernels', 'shapes',
      'copies', 'memory', 'frequency'
    ],
    name
  )
