"""Answers as CSV: RFC 4180, UTF-8, an empty field for NULL."""

import csv
import io
from decimal import Decimal
from typing import IO

from .columns import Answer


def write_rows(answer: Answer, file: IO[bytes]) -> None:
    """Write a header of column names and one record per row, each ended by CRLF."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(column.name for column in answer.columns)
    for row in answer.rows:
        writer.writerow([_field(value) for value in row])
    # The file belongs to the caller, who closes it.
    text.detach()


def _field(value: object) -> object:
    match value:
        case bool():
            return "true" if value else "false"
        case Decimal():
            return f"{value:f}"
        case bytes():
            return value.hex()
        case _:
            return value
