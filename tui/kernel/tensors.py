"""The shapes of a kernel's tensors, with their types and formats, in few lines."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ..draw.safe_text import clean, cut
from ..words.spoken import say

BETWEEN = ";"
NO_SHAPE = "[]"
UNKNOWN = "?"
FORMAT_PREFIX = "FORMAT_"
TYPE_PREFIX = "DT_"


class Tensors(NamedTuple):
    """Tensors of one type and format that follow each other; clean text."""

    shapes: tuple[str, ...]
    dtype: str
    format: str


def tensors(shapes: str | None, dtypes: str | None, formats: str | None) -> list[Tensors]:
    """Return the tensors that the three columns of a kernel tell of; empty if none do.

    ``[]`` is a tensor without dimensions or one that was left out: the file writes both as
    nothing. A column with fewer entries leaves ``?``.
    """
    columns = (_entries(shapes), _entries(dtypes), _entries(formats))
    count = max(map(len, columns))
    rows = [
        tuple(column[at] if at < len(column) else None for column in columns) for at in range(count)
    ]
    named = [
        (
            UNKNOWN if shape is None else clean(shape) or NO_SHAPE,
            _named(dtype, TYPE_PREFIX),
            _named(format_, FORMAT_PREFIX),
        )
        for shape, dtype, format_ in rows
    ]
    return [
        Tensors(tuple(shape for shape, _, _ in alike), dtype, format_)
        for (dtype, format_), alike in groupby(named, key=lambda one: one[1:])
    ]


def shapes_text(shapes: str | None, limit: int) -> str:
    """Return the shapes of a kernel's tensors in ``limit`` cells, as clean text."""
    if shapes is None:
        return cut(say("not_collected"), limit)
    parts = [clean(shape) or NO_SHAPE for shape in _entries(shapes)]
    return clean("  ".join(parts), limit)


def types_text(dtypes: str | None, limit: int) -> str:
    """Return the types of a kernel's tensors, each once, in ``limit`` cells, as clean text."""
    if dtypes is None:
        return cut(say("not_collected"), limit)
    return clean(
        " ".join(dict.fromkeys(_named(one, TYPE_PREFIX) for one in _entries(dtypes))), limit
    )


def _entries(text: str | None) -> Sequence[str]:
    if text is None:
        return ()
    return [part.strip() for part in text.strip().strip('"').split(BETWEEN)]


def _named(entry: str | None, prefix: str) -> str:
    return UNKNOWN if not entry else clean(entry.removeprefix(prefix))
