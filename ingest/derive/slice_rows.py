"""Rows of ``slice``: texts for their codes, and the step of each slice.

A device task belongs to the step that launched it, any other slice of a device to
the step whose period holds its start, and a slice of the host to the step whose host
range does.
"""

from typing import Any, Final

import pyarrow as pa
from pyarrow import compute

from ..errors import IngestError
from ..schema import SLICE

pc: Any = compute
"""Its functions are made when it is imported; nobody can know their types."""

CODED: Final = ("name", "category", "task_type", "phase")
"""Columns that hold codes of words."""


class Words:
    """The texts of all codes."""

    def __init__(self, texts: pa.Array) -> None:
        self._texts = texts

    def spelled(self, codes: pa.Array) -> pa.DictionaryArray:
        """Return the texts of codes, each text once."""
        coded = codes.dictionary_encode()
        return pa.DictionaryArray.from_arrays(coded.indices, self._texts.take(coded.dictionary))


class Ranges:
    """Steps in the order of their starts, each up to an end; columns ts, end_ts and step."""

    def __init__(self, steps: pa.Table) -> None:
        self._ts, self._end_ts, self._step = (
            steps[name].combine_chunks() for name in ("ts", "end_ts", "step")
        )

    def holding(self, ts: pa.Array) -> pa.Array:
        """Return the step whose range holds each instant, NULL where none does."""
        if not len(self._ts):
            return pa.nulls(len(ts), pa.int32())
        after = pc.search_sorted(self._ts, ts, side="right").cast(pa.int64())
        place = pc.if_else(pc.equal(after, 0), None, pc.subtract(after, 1))
        inside = pc.less(ts, self._end_ts.take(place))
        return pc.if_else(inside, self._step.take(place), pa.scalar(None, pa.int32()))


class SliceRows:
    """Completes the rows that ``slice.sql`` selects, which must come by slice_id."""

    def __init__(self, words: Words, *, host: Ranges, device: Ranges, base: int) -> None:
        self._words = words
        self._host = host
        self._device = device
        self._next = base

    def complete(self, rows: pa.Table) -> pa.Table:
        """Return rows of the table ``slice``; raise IngestError if they are out of order."""
        columns = {name: rows[name].combine_chunks() for name in rows.column_names}
        self._check(columns["slice_id"])
        ts = columns["ts"]
        of_device = pc.coalesce(columns.pop("launched_in"), self._device.holding(ts))
        columns["step"] = pc.if_else(columns.pop("on_device"), of_device, self._host.holding(ts))
        for name in CODED:
            columns[name] = self._words.spelled(columns[name])
        return pa.table({name: columns[name] for name in SLICE.column_names})

    def _check(self, ids: pa.Array) -> None:
        if not len(ids):
            return
        first, last = ids[0].as_py(), ids[len(ids) - 1].as_py()
        if first != self._next or last != first + len(ids) - 1:
            raise IngestError(
                f"slices {first} to {last} came where {self._next} was to follow: the order of"
                " rows was lost; please report this with npuview --version"
            )
        self._next = last + 1
