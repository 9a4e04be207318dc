"""A small, faithful, made-up profile: for the demo, the tests and the pictures."""

from .writer import SCENARIOS, write_sample

__all__ = ["SCENARIOS", "write_sample"]
