"""What the lists of waits and moves tell."""
