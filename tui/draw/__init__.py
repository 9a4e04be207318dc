"""Drawing without a screen: pure functions from values to text."""
