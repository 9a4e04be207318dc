"""The parts in C: the scanner and the passes over slices and spans.

They are optional. Where they were not built, or are not wanted because the environment
says ``NPUVIEW_C=off``, Python and SELECTs make the same tables of every file.
"""

import os
from importlib import import_module
from typing import Any, Final

VARIABLE: Final = "NPUVIEW_C"


def compiled(name: str) -> Any | None:  # noqa: ANN401 # a module that may not be there
    """Return a module in C of this package, None if it is missing or not wanted."""
    if os.environ.get(VARIABLE) == "off":
        return None
    try:
        return import_module(f".{name}", __package__)
    except ImportError:
        return None


def has_scanner() -> bool:
    """Tell whether the scanner in C reads timelines here."""
    return compiled("_scan") is not None


def reader_name() -> str:
    """Return what reads timelines here, for people."""
    return "scanner in C" if has_scanner() else "reader in Python"
