"""Rows of answers of which a test names the columns that matter."""

from typing import Any


def row(row_type: type[Any], **values: object) -> Any:  # noqa: ANN401 a row of any type
    """Return a row; the columns that are not named are None."""
    unknown = values.keys() - set(row_type._fields)
    assert not unknown, f"{row_type.__name__} has no column {sorted(unknown)}"
    return row_type(**{name: values.get(name) for name in row_type._fields})
