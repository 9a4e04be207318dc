-- What a profile does not hold, with what cannot be told without it.
WITH operators AS (
  SELECT
    rank,
    bool_or(input_shapes IS NOT NULL) AS shapes,
    bool_or(
      aic_mac_ratio IS NOT NULL
      OR aic_mte2_ratio IS NOT NULL
      OR aiv_vec_ratio IS NOT NULL
      OR aiv_mte2_ratio IS NOT NULL
    ) AS units
  FROM kernel
  GROUP BY rank
), lanes AS (
  SELECT
    rank,
    bool_or(kind = 'stream') AS streams,
    bool_or(kind = 'python') AS python,
    bool_or(kind = 'cann') AS cann
  FROM track
  GROUP BY rank
), held AS (
  SELECT
    p.rank,
    p.rank IN (SELECT rank FROM step WHERE kind <> 'run') AS steps,
    o.rank IS NOT NULL AS kernels,
    o.shapes,
    o.units,
    coalesce(l.streams, FALSE) AS streams,
    coalesce(l.python, FALSE) AS python,
    coalesce(l.cann, FALSE) AS cann,
    p.rank IN (SELECT DISTINCT rank FROM launch_link) AS launches,
    p.rank IN (SELECT rank FROM collective) AS collectives,
    p.rank IN (SELECT rank FROM collective WHERE transfer_ns IS NOT NULL)
      AS planes,
    p.rank IN (SELECT rank FROM counter_series WHERE unit = 'bytes')
      AS memory
  FROM profile AS p
  LEFT JOIN operators AS o ON o.rank = p.rank
  LEFT JOIN lanes AS l ON l.rank = p.rank
)
SELECT rank, 'steps' AS name, 'no step is marked: the run is one period'
  AS sample
FROM held WHERE NOT steps
UNION ALL
SELECT rank, 'streams', 'no device tasks: nothing is known of the device'
FROM held WHERE NOT streams
UNION ALL
SELECT rank, 'kernels', 'no operators: top is empty'
FROM held WHERE NOT kernels
UNION ALL
-- Without kernels shapes and units are NULL: only kernels are missing then.
SELECT rank, 'shapes', 'operators have no shapes'
FROM held WHERE NOT shapes
UNION ALL
SELECT rank, 'units',
  'no busy shares of the core''s units: what bounds an operator is unknown'
FROM held WHERE NOT units
UNION ALL
SELECT rank, 'python', 'no lanes of Python or the framework'
FROM held WHERE NOT python
UNION ALL
SELECT rank, 'cann', 'no host calls of CANN: launches cannot be followed'
FROM held WHERE NOT cann
UNION ALL
SELECT rank, 'launches', 'no device task is joined to its host call'
FROM held WHERE streams AND NOT launches
UNION ALL
SELECT rank, 'planes',
  'collectives have no plane tasks: waiting and transfer cannot be told apart'
FROM held WHERE collectives AND NOT planes
UNION ALL
SELECT rank, 'memory', 'no memory samples'
FROM held WHERE NOT memory
