"""A profiler's output directory to the store."""
