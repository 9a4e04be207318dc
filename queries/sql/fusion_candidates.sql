-- title:   Operators that one kernel could replace
-- about:   Runs of operators that follow each other on one stream and that a
--          fused kernel could replace, by pattern and types, most time first.
--          total is the time of the members, gap_ns what lies between them,
--          computed_ns the part in which what computes was busy: a fused kernel
--          has to do that too. bytes are written by a member for the next one
--          and read again. What may be in the way: fp32 counts runs with an
--          input in FLOAT, unaligned those where the inner axis of something
--          in between is no multiple of 512 bytes, beside those during which
--          another stream computes, so that fusing may cost; sized are those
--          with shapes. Whether the fused operator is registered for the
--          framework, a profile does not say. Patterns are in patterns.toml.
--          One kernel saves about least_ns, the gaps without what the
--          collection puts between kernels; with what the bytes take at
--          bytes_per_s about most_ns, NULL where either is not known. graph is
--          what fusion_op.csv says: not_collected without the file;
--          partly_fused, a member is itself an operator that the graph engine
--          fused; fused_elsewhere, operators that the pattern fits were fused,
--          graph_fused times, but not these; else not_fused.
-- param:   rank INTEGER = NULL          only this rank
-- param:   step INTEGER = NULL          only this step
-- param:   pattern VARCHAR = NULL       only this pattern
-- param:   most_gap BIGINT = 1000000    most ns between the members in all
-- param:   bytes_per_s BIGINT = NULL    of device memory; 0: not known
-- param:   limit BIGINT = NULL          so many rows
-- columns: rank INTEGER, stream_id BIGINT, pattern VARCHAR, fused VARCHAR,
--          types VARCHAR, members BIGINT, count BIGINT, total BIGINT,
--          gap_ns BIGINT, least_ns BIGINT, most_ns BIGINT,
--          computed_ns BIGINT, bytes BIGINT, sized BIGINT, fp32 BIGINT,
--          unaligned BIGINT, beside BIGINT, graph VARCHAR,
--          graph_fused BIGINT, longest BIGINT, longest_ts BIGINT,
--          longest_step INTEGER, longest_kernel_id BIGINT
-- needs:   kernel, kernel_shape, slice, fusion_step, fused_operator,
--          graph_fusion, spacing
WITH candidate AS (
  SELECT
    rank,
    stream_id,
    pattern,
    any_value(fused) AS fused,
    types,
    members,
    count(*) AS count,
    sum(total)::BIGINT AS total,
    sum(gap_ns)::BIGINT AS gap_ns,
    sum(least_ns)::BIGINT AS least_ns,
    CASE WHEN count(most_ns) = count(*) THEN
      sum(most_ns)::BIGINT
    END AS most_ns,
    CASE WHEN count(computed_ns) = count(*) THEN
      sum(computed_ns)::BIGINT
    END AS computed_ns,
    CASE WHEN count(bytes) = count(*) THEN
      try_cast(sum(bytes) AS BIGINT)
    END AS bytes,
    count(bytes) AS sized,
    count(*) FILTER (fp32) AS fp32,
    count(*) FILTER (unaligned) AS unaligned,
    count(*) FILTER (beside) AS beside,
    bool_or(in_graph) AS in_graph,
    max(dur) AS longest,
    arg_max(ts, (dur, -kernel_id)) AS longest_ts,
    arg_max_null(step, (dur, -kernel_id)) AS longest_step,
    arg_max(kernel_id, (dur, -kernel_id)) AS longest_kernel_id
  FROM fusion_runs($rank, $step, $bytes_per_s)
  WHERE ($pattern IS NULL OR pattern = $pattern)
    AND gap_ns <= $most_gap
  GROUP BY rank, stream_id, pattern, types, members
)
SELECT
  c.* EXCLUDE (in_graph, longest, longest_ts, longest_step, longest_kernel_id),
  CASE
    WHEN c.rank NOT IN (SELECT rank FROM fused_operator) THEN 'not_collected'
    WHEN c.in_graph THEN 'partly_fused'
    WHEN g.count > 0 THEN 'fused_elsewhere'
    ELSE 'not_fused'
  END AS graph,
  CASE WHEN c.rank IN (SELECT rank FROM fused_operator) THEN
    coalesce(g.count, 0)
  END AS graph_fused,
  c.longest,
  c.longest_ts,
  c.longest_step,
  c.longest_kernel_id
FROM candidate AS c
LEFT JOIN graph_fusion AS g ON g.rank = c.rank AND g.pattern = c.pattern
ORDER BY c.total DESC, c.rank, c.stream_id, c.pattern, c.types
LIMIT $limit
