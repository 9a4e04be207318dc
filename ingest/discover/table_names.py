"""Names of summary tables: from file names, which may be of any length and any bytes."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ..profile import TableFile
from ..text import printable

MOST_NAME_BYTES: Final = 100
"""A table is a file of the store: its name must fit a directory of any file system."""

_HASH_BYTES: Final = 4


def named_once(tables: Iterable[TableFile]) -> Iterator[TableFile]:
    """Give every table a printable name of at most 100 bytes that SQL tells from all others.

    A longer name is cut and ends in a hash of the whole, so that ranks agree on it; of
    names that differ in case only the later ones get a number.
    """
    used: set[str] = set()
    for table in tables:
        base = _shortened(printable(table.name))
        name, copy = base, 1
        while name.casefold() in used:
            copy += 1
            name = f"{base}_{copy}"
        used.add(name.casefold())
        yield replace(table, name=name)


def _shortened(name: str) -> str:
    content = name.encode()
    if len(content) <= MOST_NAME_BYTES:
        return name
    mark = hashlib.blake2b(content, digest_size=_HASH_BYTES).hexdigest()
    kept = content[: MOST_NAME_BYTES - len(mark) - 1].decode("utf-8", "ignore")
    return f"{kept}_{mark}"
