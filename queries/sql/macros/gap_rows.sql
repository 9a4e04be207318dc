-- What the question gaps answers of some gaps, which are named as a table of
-- theirs: their share of the period, and the tasks around them.
CREATE MACRO gap_rows(picked) AS TABLE
SELECT
  g.gap_id,
  g.rank,
  g.device_id,
  g.kind,
  g.step,
  g.ts,
  g.dur,
  g.wait_ns,
  g.idle_ns,
  g.dur / nullif(s.dur, 0) AS period_share,
  g.cause,
  g.inferred,
  g.evidence_slice_id,
  g.step_boundary,
  g.prev_slice_id,
  b.name AS prev_name,
  g.next_slice_id,
  a.name AS next_name
FROM query_table(picked) AS g
LEFT JOIN step AS s ON s.rank = g.rank AND s.step = g.step
LEFT JOIN slice AS b ON b.slice_id = g.prev_slice_id
LEFT JOIN slice AS a ON a.slice_id = g.next_slice_id
