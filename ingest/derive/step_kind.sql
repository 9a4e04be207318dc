-- table: step_kind
-- about: What each iteration that the profiler did not mark is for, and how many tokens
--        it works on. Operators of gradients or the optimizer tell training; the
--        attention operators tell whether a model is prefilled or decodes, both
--        together are mixed. FusedInferAttentionScore decodes with a query of length 1;
--        a query of three dimensions that is longer may be of either layout and
--        tells nothing. Where they are silent the name of the range counts: vLLM
--        writes the tokens of either kind into it. NULL is not known.
WITH marks AS (
  FROM step_mark
  WHERE source IN ('annotation', 'mstx', 'graph_replay', 'pattern')
), kernels AS (
  SELECT k.step, k.ts, coalesce(k.type, k.name) AS operator, k.input_shapes, k.output_shapes
  FROM kernel AS k
  SEMI JOIN marks AS m ON k.step = m.step
), told AS (
  SELECT o.operator, m.tells
  FROM (SELECT DISTINCT operator FROM kernels) AS o
  JOIN model_operator AS m ON regexp_matches(o.operator, m.form)
  QUALIFY row_number() OVER (PARTITION BY o.operator ORDER BY m.place) = 1
), shaped AS (
  SELECT
    k.step,
    k.ts,
    t.tells,
    list_transform(
      string_split(split_part(trim(k.input_shapes, '" '), ';', 1), ','),
      lambda size: try_cast(trim(size) AS BIGINT)
    ) AS query,
    list_transform(
      string_split(split_part(trim(k.output_shapes, '" '), ';', 1), ','),
      lambda size: try_cast(trim(size) AS BIGINT)
    ) AS result
  FROM kernels AS k
  JOIN told AS t ON k.operator = t.operator
), judged AS (
  SELECT
    *,
    CASE
      WHEN tells <> 'attention' THEN tells
      WHEN len(query) = 4 AND (query[2] = 1 OR query[3] = 1) THEN 'decode'
      WHEN len(query) = 4 THEN 'prefill'
      WHEN len(query) = 3 AND query[2] = 1 THEN 'decode'
    END AS means
  FROM shaped
), summed AS (
  SELECT
    step,
    bool_or(means = 'train') AS trains,
    bool_or(means = 'prefill') AS prefills,
    bool_or(means = 'decode') AS decodes,
    -- An embedding gives a row for each token; a decoding query has one for each.
    arg_min(
      list_reduce(result[:-2], lambda x, y: x * y), ts
    ) FILTER (means = 'embedding' AND len(result) > 1) AS embedded,
    arg_min(query[1], ts) FILTER (means = 'decode') AS decoded
  FROM judged
  GROUP BY step
), named AS (
  SELECT
    step,
    try_cast(regexp_extract(name, '^execute_context_\d+\((\d+)\)', 1) AS BIGINT) AS context,
    try_cast(regexp_extract(name, '_generation_\d+\((\d+)\)', 1) AS BIGINT) AS generated,
    try_cast(regexp_extract(name, '^execute_new_(\d+)_cached_\d+', 1) AS BIGINT) AS begun,
    try_cast(regexp_extract(name, '^execute_new_\d+_cached_(\d+)', 1) AS BIGINT) AS cached,
    regexp_matches(name, '(?i)prefill') AS prefill,
    regexp_matches(name, '(?i)decode') AS decode
  FROM marks
)
SELECT
  n.step,
  CASE
    WHEN s.trains THEN 'train'
    WHEN s.prefills AND s.decodes THEN 'mixed'
    WHEN s.prefills THEN 'prefill'
    WHEN s.decodes THEN 'decode'
    WHEN coalesce(n.context, n.begun) > 0
    THEN CASE WHEN coalesce(n.generated, n.cached) > 0 THEN 'mixed' ELSE 'prefill' END
    WHEN coalesce(n.generated, n.cached) > 0 THEN 'decode'
    WHEN n.prefill AND n.decode THEN 'mixed'
    WHEN n.prefill THEN 'prefill'
    WHEN n.decode THEN 'decode'
  END AS kind,
  CASE WHEN s.trains IS NOT TRUE
    THEN coalesce(n.context + n.generated, s.embedded, s.decoded)
  END AS tokens
FROM named AS n
LEFT JOIN summed AS s USING (step)
