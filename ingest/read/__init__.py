"""A file of a profile to rows."""
