"""A profile's small JSON files, read into values that the store can hold.

What a file says comes from outside: its texts may hold no UTF-8, its numbers no 64
bits, its nesting no end. Everything is made such here, so that nobody else need ask.
"""

import json
import re
from pathlib import Path
from typing import Final, cast

from ..folder import open_regular, relative_name
from ..notice import Notice, Severity
from ..read.decimal_time import INT64_MAX, INT64_MIN
from ..text import printable

INT32_MAX: Final = (1 << 31) - 1
NO_FILE: Final = "neither a file nor a folder: a pipe, a device, or a link to nothing"

_MOST_BYTES: Final = 64 << 20
_MOST_DIGITS: Final = 20
_MOST_DEPTH: Final = 16
_TOO_DEEP: Final = "…"
_UNSET: Final = frozenset({(1 << 32) - 1, (1 << 64) - 1})
"""What writers without a sign print for -1, which says that a number is not set."""


class SideFiles:
    """Reads side files of one profile; ``notices`` name those that tell nothing.

    File names in notices are relative to ``root``.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.notices: list[Notice] = []

    def read(self, path: Path | None) -> dict[str, object]:
        """Return the JSON object of a file; empty if there is none or it is damaged."""
        if path is None:
            return {}
        try:
            with open_regular(path) as file:
                content = file.read(_MOST_BYTES)
        except OSError as error:
            self.notice(path, "file_unreadable", error.strerror or str(error), severity="error")
            return {}
        try:
            text = content.decode(json.detect_encoding(content), "surrogateescape")
            value = decoded(text)[0]
        except ValueError as error:
            self.notice(path, "side_file_damaged", f"no JSON object: {error}")
            return {}
        if not isinstance(value, dict):
            self.notice(path, "side_file_damaged", "no JSON object")
        return object_of(value)

    def whole(self, path: Path, name: str, value: object, most: int) -> int | None:
        """Return a whole number from 0 on given as a number or as text.

        None for one that is negative or no number, which says that it is not set, and
        for one beyond ``most``, which is counted.
        """
        number = _whole(value)
        if number is None or number < 0 or number in _UNSET:
            return None
        if number > most:
            self.notice(path, "number_out_of_range", f"{name}: {number}")
            return None
        return number

    def notice(
        self, path: Path, name: str, sample: str, *, severity: Severity = "data_loss"
    ) -> None:
        """Count what a side file does not tell."""
        file = relative_name(path, self._root)
        self.notices.append(Notice(file, name, severity, sample=printable(sample)))


def decoded(text: str) -> tuple[object, int]:
    """Decode the JSON value that a text begins with; return it and where it ends.

    Texts in it are printable, whole numbers beyond 64 bits are text, and what is
    nested deeper than anybody reads is left out. Raises ValueError if it is none.
    """
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    try:
        value, end = _DECODER.raw_decode(text, start)
        return _carried(value, 0), end
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def object_of(value: object) -> dict[str, object]:
    """Return a JSON value if it is an object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def text_of(value: object) -> str | None:
    """Return a JSON value if it is a text that says something."""
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,255}", value.strip(), re.ASCII):
        return int(value)
    return None


def _integer(text: str) -> int | str:
    number = int(text) if len(text) <= _MOST_DIGITS else None
    return text if number is None or not INT64_MIN <= number <= INT64_MAX else number


_DECODER: Final = json.JSONDecoder(strict=False, parse_int=_integer, parse_constant=str)


def _carried(value: object, depth: int) -> object:
    """Return a decoded value such that UTF-8 JSON can carry it."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    if isinstance(value, (dict, list)) and depth == _MOST_DEPTH:
        return _TOO_DEEP
    if isinstance(value, list):
        return [_carried(one, depth + 1) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        return {
            printable(key): _carried(one, depth + 1)
            for key, one in cast("dict[str, object]", value).items()
        }
    return value
