"""What the process and the terminal around the app need: start, signals, end, crash."""
