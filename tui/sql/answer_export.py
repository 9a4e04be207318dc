"""Whole answers as files: csv, json or parquet, by the name of the file."""

import os
from collections.abc import Generator, Iterable, Mapping
from typing import TYPE_CHECKING

from ...ingest.errors import UsageError
from ..answers import Answers
from ..draw import numbers
from ..export.export_choice import ExportChoice, Target, Told
from ..words.spoken import counted, say

if TYPE_CHECKING:
    from ...queries.query import Query
    from .kept_answer import Row

SUFFIXES = (".csv", ".json", ".parquet")


class _Counted:
    """Rows that are counted while they are read; ``told`` hears of them."""

    def __init__(self, batches: Iterable[list["Row"]], told: Told) -> None:
        self._batches = batches
        self._told = told
        self.count = 0

    def __iter__(self) -> Generator["Row"]:
        for batch in self._batches:
            self.count += len(batch)
            self._told(counted(self.count, "row"))
            yield from batch


def answer_choice(
    query: "Query", params: Mapping[str, object], label: str, file_name: str, about: str = ""
) -> ExportChoice:
    """Return all rows of the answer to a question as something that can be written.

    To write it raises UsageError for another suffix than those of ``SUFFIXES``, and else
    as ``ExportChoice`` says.
    """

    def write(answers: Answers, target: Target, told: Told) -> str:
        # Most times that the app is open nothing is written.
        from ..text.columns import Answer  # noqa: PLC0415
        from ..text.destination import Destination, format_of  # noqa: PLC0415
        from ..text.output import write_answer  # noqa: PLC0415

        path = target.path
        if path.suffix.lower() not in SUFFIXES:
            raise UsageError(f"{path}: the name has to end in {', '.join(SUFFIXES)}")
        if not target.force and os.path.lexists(path):
            raise UsageError(f"{path} is there already")
        stream = answers.session.stream(query, params)
        rows = _Counted(stream, told)
        write_answer(Answer(stream.columns, rows), Destination(format_of(path), path))
        return say("comma").join((counted(rows.count, "row"), numbers.size(path.stat().st_size)))

    return ExportChoice(label, file_name, write, about)
