"""Rows of the readers to the tables of the store, one SELECT or function a table."""
