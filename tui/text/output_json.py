"""Answers as JSON: an array of objects with the names of the columns."""

from decimal import Decimal
from typing import IO

import orjson

from ..draw.safe_text import encodable
from .columns import Answer, unique_names

INT64_MIN = -(1 << 63)
UINT64_END = 1 << 64


def write_rows(answer: Answer, file: IO[bytes]) -> None:
    """Write an object per row, one per line; integers and decimals keep every digit.

    What JSON has no number for (NaN, infinity) is null, bytes are hexadecimal.
    """
    names = unique_names(answer.columns)
    opening = b"["
    for row in answer.rows:
        fields = {name: _exact(value) for name, value in zip(names, row, strict=True)}
        file.write(opening + b"\n" + orjson.dumps(fields))
        opening = b","
    file.write(b"\n]\n" if opening == b"," else b"[]\n")


def _exact(value: object) -> object:
    match value:
        case str():
            return encodable(value)
        case None | bool() | float():
            return value
        case int():
            fits = INT64_MIN <= value < UINT64_END
            return value if fits else orjson.Fragment(str(value).encode())
        case Decimal():
            return orjson.Fragment(f"{value:f}".encode()) if value.is_finite() else None
        case bytes():
            return value.hex()
        case _:
            return str(value)
