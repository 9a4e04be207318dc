-- title:   Streams in series without need
-- about:   Waits of the judged steps for a stream that had run all that was
--          waited for and was not held itself: the record that lets the
--          waiting stream go on came late. ns is at most what the device
--          waits for events.
-- param:   rank INTEGER = NULL  only this rank
-- param:   step INTEGER = NULL  only this step
-- columns: rule VARCHAR, variant VARCHAR, rank INTEGER, device_id INTEGER,
--          step INTEGER, steps BIGINT, ns BIGINT, period BIGINT, ts BIGINT,
--          dur BIGINT, evidence VARCHAR, inferred BOOLEAN, missing VARCHAR,
--          count BIGINT, longest_ns BIGINT, stream_id BIGINT,
--          other_stream_id BIGINT, producer_name VARCHAR
-- needs:   ledger, judged_step, step, event_wait, slice, track
WITH wait AS (
  SELECT
    w.*,
    least(w.exposed_ns, w.unused_ns) AS lost_ns,
    j.steps,
    j.period
  FROM stream_waits($rank, $step) AS w
  JOIN judged($rank, $step) AS j ON j.rank = w.rank AND j.step = w.step
  WHERE least(w.exposed_ns, w.unused_ns) > 0
), total AS (
  SELECT
    rank,
    device_id,
    any_value(steps) AS steps,
    any_value(period) AS period,
    count(*) AS count,
    sum(lost_ns) AS ns,
    arg_max(
      {'step': step, 'ts': ts, 'dur': dur, 'lost': lost_ns,
        'track': track_id, 'other': record_track_id,
        'producer': producer_name, 'producer_id': producer_slice_id,
        'record_id': record_slice_id},
      (lost_ns, -slice_id)
    ) AS longest,
    arg_max(slice_id, (lost_ns, -slice_id), 5) AS shown
  FROM wait
  GROUP BY rank, device_id
), waiting AS (
  SELECT l.rank, l.device_id, sum(l.dur) AS ns
  FROM judged_ledger($rank, $step) AS l
  WHERE l.state = 'waiting_event'
  GROUP BY l.rank, l.device_id
)
SELECT
  'idle_producer' AS rule,
  NULL::VARCHAR AS variant,
  t.rank,
  t.device_id,
  t.longest.step AS step,
  t.steps,
  -- Streams wait beside each other: they gain no more than there is.
  least(t.ns, w.ns)::BIGINT AS ns,
  t.period,
  t.longest.ts AS ts,
  t.longest.dur AS dur,
  concat_ws(
    ' ',
    t.shown[1],
    t.longest.record_id,
    t.longest.producer_id,
    nullif(array_to_string(t.shown[2:], ' '), '')
  ) AS evidence,
  TRUE AS inferred,
  NULL::VARCHAR AS missing,
  t.count,
  t.longest.lost AS longest_ns,
  a.stream_id,
  b.stream_id AS other_stream_id,
  t.longest.producer AS producer_name
FROM total AS t
JOIN waiting AS w
  ON w.rank = t.rank AND w.device_id IS NOT DISTINCT FROM t.device_id
JOIN track AS a ON a.track_id = t.longest.track
JOIN track AS b ON b.track_id = t.longest.other
ORDER BY t.rank, t.device_id
