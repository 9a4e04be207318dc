"""What the view of device memory shows: the curve, its holders, its growth."""
