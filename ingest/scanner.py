"""Which reader of timelines is in use: the scanner in C, or Python alone.

The environment variable ``NPUVIEW_SCANNER=python`` asks for the reader in Python. Both
make the same rows of every file.
"""

import os
from typing import Final

VARIABLE: Final = "NPUVIEW_SCANNER"


def has_scanner() -> bool:
    """Tell whether the scanner in C was built and is wanted."""
    if os.environ.get(VARIABLE) == "python":
        return False
    try:
        from . import _scan  # noqa: F401, PLC0415 # built only where there is a compiler
    except ImportError:
        return False
    return True


def reader_name() -> str:
    """Return what reads timelines here, for people."""
    return "scanner in C" if has_scanner() else "reader in Python"
