"""What the first screen tells, as text and in the app."""
