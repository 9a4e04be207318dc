"""Questions to a store, answered as typed rows by DuckDB."""
