"""A small, faithful, made-up profile: for the demo, the tests and the pictures."""

from .scenarios import SCENARIOS
from .writer import write_sample

__all__ = ["SCENARIOS", "write_sample"]
