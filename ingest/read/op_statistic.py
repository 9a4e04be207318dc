"""A lone op_statistic.csv: the totals per operator type that a tuned run left behind.

Such files are kept for years where profiles are not: they make a baseline as they are.
"""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ..errors import UsageError
from ..folder import open_regular
from .decimal_time import INT64_MAX, scaled
from .headers import TIME_POWERS, Header, parse_header

MOST_BYTES: Final = 32 << 20
"""There is a row for each type and core; a larger file is something else."""


class OperatorSum(NamedTuple):
    """Calls and time of an operator type on a core, in ns; summed over devices."""

    type: str
    core: str | None
    calls: int
    total: int


def is_op_statistic(path: Path) -> bool:
    """Tell whether a file is such a table by its first line; False for what cannot be read."""
    try:
        with open_regular(path) as file:
            line = file.readline(1 << 16).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    try:
        return _places(next(csv.reader(line.splitlines()), [])) is not None
    except csv.Error:
        return False


def read_op_statistic(path: Path) -> list[OperatorSum]:
    """Return the sums of a file, the most time first.

    Raises UsageError, naming file and line, for what is no such table.
    """
    try:
        with open_regular(path) as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8") from error
    if len(content) > MOST_BYTES:
        raise UsageError(f"{path}: larger than {MOST_BYTES:,} bytes; that is no op_statistic.csv")
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise UsageError(f"{path}: is no CSV: {error}") from error
    found = _places(rows[0] if rows else [])
    if found is None:
        raise UsageError(f"{path}: needs the columns OP Type, Count and Total Time(us)")
    return _sums(path, rows[1:], found)


class _Places(NamedTuple):
    type: int
    core: int | None
    calls: int
    total: int
    power: int


def _places(row: list[str]) -> _Places | None:
    headers = [parse_header(cell) for cell in row]
    at = {header.name: place for place, header in enumerate(headers)}
    total = at.get("total time")
    unit = Header("", "") if total is None else headers[total]
    if total is None or "op type" not in at or "count" not in at or unit.unit not in TIME_POWERS:
        return None
    return _Places(at["op type"], at.get("core type"), at["count"], total, TIME_POWERS[unit.unit])


def _sums(path: Path, rows: Iterable[list[str]], at: _Places) -> list[OperatorSum]:
    sums: dict[tuple[str, str | None], tuple[int, int]] = {}
    for line, row in enumerate(rows, 2):
        if not any(cell.strip() for cell in row):
            continue
        try:
            core = None if at.core is None else row[at.core].strip() or None
            key = row[at.type].strip(), core
            count, total = scaled(row[at.calls], 0), scaled(row[at.total], at.power)
        except IndexError as error:
            raise UsageError(f"{path}:{line}: cannot be read: too few cells") from error
        except ValueError as error:
            raise UsageError(f"{path}:{line}: cannot be read: {error}") from error
        before = sums.get(key, (0, 0))
        sums[key] = before[0] + count, before[1] + total
        if not key[0] or count < 0 or total < 0 or max(sums[key]) > INT64_MAX:
            raise UsageError(f"{path}:{line}: cannot be read: no type, or figures that none has")
    every = [OperatorSum(*key, *value) for key, value in sums.items()]
    return sorted(every, key=lambda one: (-one.total, one.type, one.core or ""))
