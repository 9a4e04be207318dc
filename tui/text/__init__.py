"""Answers as text: tables, csv, json and parquet, and what is said beside them."""
