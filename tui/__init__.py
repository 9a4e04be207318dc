"""Answers on a terminal: as text, in files, on a screen."""
