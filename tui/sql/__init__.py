"""Statements and presets: what was typed, its parameters, its answer."""
