"""Numbers of bytes as people write them."""

import re
from typing import Final

from .errors import UsageError

_UNITS: Final = {"TB": 10**12, "GB": 10**9, "MB": 10**6, "kB": 10**3}
_SIZE: Final = re.compile(r"(?P<number>[0-9]{1,9})\s*(?P<unit>[MGT]B)", re.IGNORECASE)


def readable(size: int) -> str:
    """Return a number of bytes as people say it, cut to a tenth: ``3.1 GB``."""
    for name, unit in _UNITS.items():
        if size >= unit:
            return f"{size // unit}.{size % unit * 10 // unit} {name}"
    return f"{size} bytes"


def parse_size(text: str) -> int:
    """Read a number of bytes such as ``50GB``; raise UsageError for anything else."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is no size; write a whole number of MB, GB or TB, such as 50GB")
    return int(match["number"]) * _UNITS[match["unit"].upper()]
