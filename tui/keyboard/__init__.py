"""Keys: what can be done where, how keys are named, and how they are changed."""
