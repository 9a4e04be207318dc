"""Rows of answers of which a test names the columns that matter."""

import inspect
from collections.abc import Callable
from typing import TypeVar

Row = TypeVar("Row")


def row(row_type: Callable[..., Row], **values: object) -> Row:
    """Return a row; the columns that are not named are None."""
    return row_type(**(dict.fromkeys(inspect.get_annotations(row_type)) | values))
