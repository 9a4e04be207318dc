-- Which of these slices belong to the selection.
SELECT slice_id
FROM export_slice
WHERE slice_id IN (SELECT unnest($wanted));
