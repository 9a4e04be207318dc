-- about: Ends of arrows in the order of the slices.
SELECT f.seq, f.phase, f.category, f.name, f.key, l.track_id, f.ts
FROM read_flow AS f
JOIN lane AS l USING (lane)
ORDER BY f.ts >> $block_bits, l.track_id, f.ts
