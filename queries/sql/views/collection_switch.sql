-- The switches that a profile names, by their names without a leading
-- underscore. slows: host, where calls of the host take longer with it; device,
-- where kernels stand further apart. What no maker documents and nobody
-- measured is NULL. torch_npu and MindSpore share names; msprof has its own.
WITH meaning AS (
  SELECT * FROM (
    VALUES
      ('activities', NULL, NULL,
        'CPU: the framework''s lanes; NPU: CANN calls and device tasks'),
      ('record_shapes', 'host', 'each framework operator writes its shapes',
        'shapes of framework operators'),
      ('profile_memory', 'host', 'each allocation is written',
        'memory over time and by operator'),
      ('with_stack', 'host', 'each Python call is written',
        'the Python line of a launch, gap or wait'),
      ('with_modules', 'host', 'each Python call of a module is written',
        'the module of a launch'),
      ('with_flops', NULL, NULL, 'nothing: torch_npu does not export it'),
      ('aic_metrics', 'device', 'counters are read after each kernel',
        'what bounds a kernel: shares of the core''s units'),
      ('l2_cache', 'device', 'cache counters are read after each kernel',
        'hit rate of the L2 cache by kernel'),
      ('mstx', NULL, NULL, 'ranges that the program marks'),
      ('msprof_tx', NULL, NULL, 'ranges that the program marks'),
      ('record_op_args', 'host', 'arguments of operators are written',
        'operator statistics for AOE, not for a profile'),
      ('op_attr', NULL, NULL, 'attributes of aclnn operators, in db exports'),
      ('gc_detect_threshold', NULL, NULL,
        'garbage collections of Python from this length on, ms'),
      ('host_sys', NULL, NULL, 'load of the host: CPU, memory, disk, network'),
      ('sys_io', NULL, NULL, 'network and RoCE counters'),
      ('sys_interconnection', NULL, NULL, 'PCIe and HCCS counters'),
      ('data_simplification', NULL, NULL,
        'off: the raw data of the framework stays beside the export'),
      ('export_type', NULL, NULL, 'text: JSON and CSV; db: one database'),
      ('l2', 'device', 'cache counters are read after each kernel',
        'hit rate of the L2 cache by kernel'),
      ('ai_core_metrics', 'device', 'counters are read after each kernel',
        'what bounds a kernel: shares of the core''s units'),
      ('aiv_metrics', 'device', 'counters are read after each kernel',
        'what bounds a kernel of the vector core'),
      ('msproftx', NULL, NULL, 'ranges that the program marks')
  ) AS meaning (name, slows, cost, unlocks)
), given AS (
  SELECT
    rank,
    CASE WHEN json_valid(switches) THEN switches::JSON END AS switches
  FROM profile
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
)
SELECT
  s.rank,
  s.name,
  s.value,
  s.is_on,
  CASE WHEN s.is_on THEN m.slows END AS slows,
  m.cost,
  m.unlocks
FROM switched AS s
LEFT JOIN meaning AS m ON m.name = s.name
