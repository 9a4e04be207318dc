"""Answers as CSV: RFC 4180, UTF-8, an empty field for NULL and ``""`` for empty text."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import IO

from ..draw.safe_text import encodable
from .columns import Answer

_QUOTED = re.compile(r'[",\r\n]|\A\Z')
"""Texts that stand in quotes; the csv module of Python 3.11 cannot tell '' from NULL."""


def write_rows(answer: Answer, file: IO[bytes]) -> None:
    """Write a header of column names and one record per row, each ended by CRLF."""
    file.write(_record(column.name for column in answer.columns))
    for row in answer.rows:
        file.write(_record(row))


def _record(values: Iterable[object]) -> bytes:
    return f"{','.join(map(_field, values))}\r\n".encode()


def _field(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            text = encodable(value)
            return f'"{text.replace(chr(34), chr(34) * 2)}"' if _QUOTED.search(text) else text
        case bool():
            return "true" if value else "false"
        case Decimal():
            return f"{value:f}"
        case bytes():
            return value.hex()
        case _:
            return str(value)
