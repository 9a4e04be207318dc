"""What lies in a directory: which profiles, of which ranks, in which files."""

from .profiles import find_profiles

__all__ = ["find_profiles"]
