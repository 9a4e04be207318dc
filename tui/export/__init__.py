"""What can be written to a file, and the worker that writes it."""
