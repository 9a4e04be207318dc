"""What to collect so that a question can be answered."""
