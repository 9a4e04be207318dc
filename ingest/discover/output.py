"""An output folder: its timelines and tables of the newest export, and what is left out."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from ..folder import open_regular, relative_name
from ..notice import Notice, Severity
from ..profile import FigureFile, TableFile, TimelineFile
from ..read.headers import table_kind
from .content import DEEP_SEARCH_BYTES, SEARCH_BYTES, Content, first_rows, look_into
from .generations import Export, newest_exports, parse_name
from .side_files import NO_FILE
from .unread import NOT_READ, describe

TORCH_TIMELINE: Final = "trace_view"
MSPROF_TIMELINE: Final = "msprof"
MINDSPORE_TIMELINE: Final = "ascend_timeline_display"

_TIMELINES: Final = (TORCH_TIMELINE, MSPROF_TIMELINE, MINDSPORE_TIMELINE)
_KERNEL_TABLES: Final = ("kernel_details", "op_summary")
"""The tables of kernels from the first choice to the last: two views of the same rows."""

_NOT_A_TIMELINE: Final = ("json", "csv", "text", "sqlite")
_FILL_ORDER: Final = ("task_time", "hccl", "step_trace", "msprof_tx")
_FIGURES: Final[Mapping[str, Literal["collectives", "links"]]] = {
    "communication": "collectives",
    "communication_matrix": "links",
}
"""Files of the vendor's figures, which count where they lie beside what they are figures of."""

_REGROUPED: Final = ("ai_stack_time", "thread_group")
"""Timelines that show the calls of others once more under other lane names."""


@dataclass(frozen=True, slots=True)
class Output:
    """What an output folder gives to a profile."""

    timelines: tuple[TimelineFile, ...] = ()
    tables: tuple[TableFile, ...] = ()
    notices: tuple[Notice, ...] = ()
    figures: tuple[FigureFile, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to read."""
        return not self.timelines and not self.tables

    def noticing(self, notices: Iterable[Notice]) -> "Output":
        """Return the same with more findings, each of them once."""
        return replace(self, notices=tuple(dict.fromkeys((*self.notices, *notices))))

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file of it that is read."""
        return (
            *(timeline.path for timeline in self.timelines),
            *(path for table in self.tables for path in table.paths),
            *(file.path for file in self.figures),
        )


class OutputReader:
    """Sorts the files of one or more output folders of one run.

    ``primary`` is the base name of the timeline that holds everything; other
    timelines only fill lanes that it lacks, or are left out unless ``fills``.
    """

    def __init__(self, root: Path, primary: str, *, fills: bool) -> None:
        self._root = root
        self._primary = primary
        self._fills = fills
        self._notices: list[Notice] = []

    def read(self, files: Iterable[Path], others: Iterable[Path] = ()) -> Output:
        """Keep the newest export of each file and tell timelines from tables by content.

        ``others`` are neither files nor folders: an export's name on one is a finding.
        """
        timelines: list[tuple[str, TimelineFile]] = []
        tables: dict[str, TableFile] = {}
        figures: list[FigureFile] = []
        named, unnamed = _split(files)
        for path in unnamed:
            self._unread(path, None)
        for path in others:
            if parse_name(path) is not None:
                self._failed(path, "file_unreadable", NO_FILE)
        for export in self._without_copies(newest_exports(named)):
            self._report(export)
            base = export.name.base
            is_timeline = base in _TIMELINES and export.name.type == "json"
            for path in export.paths:
                content = look_into(path, DEEP_SEARCH_BYTES if is_timeline else SEARCH_BYTES)
                if content.kind == "timeline" and export.name.type == "json":
                    timelines += self._timeline(base, path, content.member)
                elif content.kind in {"csv", "text"} and export.name.type == "csv":
                    self._table(tables, base, path, content)
                elif base in _FIGURES and export.name.type == "json" and content.kind == "json":
                    figures.append(FigureFile(_FIGURES[base], path))
                elif is_timeline:
                    self._no_timeline(path, content)
                else:
                    self._unread(path, content)
        return Output(
            tuple(self._ordered(timelines)),
            tuple(self._one_kernel_table(tables)),
            tuple(self._notices),
            tuple(figures),
        )

    def _without_copies(self, exports: list[Export]) -> Iterator[Export]:
        """Leave out trace_view_1.json beside trace_view.json: a person put it there."""
        plain = {(one.name.base, one.name.type) for one in exports if not one.name.numbers}
        for export in exports:
            if export.name.numbers and (export.name.base, export.name.type) in plain:
                for path in export.paths:
                    self._notice(path, NOT_READ, "a numbered copy of a file beside it")
            else:
                yield export

    def _no_timeline(self, path: Path, content: Content) -> None:
        """Say what is wrong with a file that has a timeline's name."""
        if content.kind in _NOT_A_TIMELINE:
            sentence = "expected trace events: a list of them or an object with traceEvents"
            self._failed(path, "not_a_timeline", sentence)
        elif content.kind == "empty" and not content.head.strip():
            self._failed(path, "not_a_timeline", "there is nothing in it")
        else:
            self._unread(path, content)

    def _timeline(
        self, base: str, path: Path, member: str | None
    ) -> Iterator[tuple[str, TimelineFile]]:
        if base == self._primary:
            yield base, TimelineFile(path, "primary", member)
        elif self._fills:
            yield base, TimelineFile(path, "fill", member)
        else:
            self._notice(path, NOT_READ, f"a timeline beside {self._primary}; open it by itself")

    def _table(self, tables: dict[str, TableFile], base: str, path: Path, content: Content) -> None:
        rows = first_rows(content.head, 2)
        if _is_header_damaged(rows, content.head):
            self._notice(
                path,
                "header_unreadable",
                "the header's quotes do not close, or it is longer than 1 MB; mend its first line",
                severity="data_loss",
            )
            return
        if len(rows) < 2:
            self._notice(path, "empty_file", "a header without rows")
            return
        known = tables.get(base)
        if known is None:
            tables[base] = TableFile(base, table_kind(rows[0]), (path,))
        else:
            tables[base] = replace(known, paths=(*known.paths, path))

    def _ordered(self, found: list[tuple[str, TimelineFile]]) -> Iterator[TimelineFile]:
        """Yield primary files, then each different file that fills them."""
        fills = [(base, file) for base, file in found if file.role == "fill"]
        fills.sort(key=lambda one: _fill_place(one[0]))
        if fills and len(fills) == len(found):
            # Without the timeline that holds everything the best of the others leads.
            leader = fills[0][0]
            fills = [
                (base, replace(file, role="primary" if base == leader else "fill"))
                for base, file in fills
            ]
        else:
            yield from (file for _, file in found if file.role == "primary")
            for base, file in fills:
                if base in _REGROUPED:
                    self._notice(file.path, "duplicate_source", "repeats calls of other lanes")
            fills = [one for one in fills if one[0] not in _REGROUPED]
        kept = self._different([file.path for _, file in fills])
        yield from (file for _, file in fills if file.path in kept)

    def _one_kernel_table(self, tables: dict[str, TableFile]) -> Iterator[TableFile]:
        kernels = [name for name, table in tables.items() if table.kind == "kernels"]
        kernels.sort(
            key=lambda name: _KERNEL_TABLES.index(name) if name in _KERNEL_TABLES else len(tables)
        )
        for name, table in tables.items():
            kept = self._different(table.paths)
            paths = tuple(path for path in table.paths if path in kept)
            kind = "summary" if name in kernels[1:] else table.kind
            yield TableFile(name, kind, paths)

    def _different(self, paths: Iterable[Path]) -> set[Path]:
        """Drop files with the content of another: some are written anew for every iteration."""
        by_size: dict[tuple[Path, int], list[Path]] = {}
        for path in paths:
            # Other folders are other devices: they may well have the same figures.
            by_size.setdefault((path.parent, _size(path)), []).append(path)
        kept: set[Path] = set()
        for group in by_size.values():
            by_content: dict[bytes, list[Path]] = {}
            for path in group:
                content = _content_hash(path) if len(group) > 1 else b""
                by_content.setdefault(content, []).append(path)
            for first, *repeats in by_content.values():
                kept.add(first)
                if repeats:
                    sentence = f"{repeats[0].name} and so on have the same content"
                    self._notice(first, "duplicate_source", sentence, count=len(repeats))
        return kept

    def _report(self, export: Export) -> None:
        for path in export.older:
            self._notice(path, "older_export", f"{export.paths[-1].name} is newer")
        if export.missing:
            self._notice(
                export.paths[0],
                "slice_missing",
                f"{export.name.base}: slice {', '.join(map(str, export.missing))} is not there",
                severity="data_loss",
                count=len(export.missing),
            )

    def _unread(self, path: Path, content: Content | None) -> None:
        kind = content.kind if content is not None else None
        if content is not None and kind == "empty":
            self._notice(path, "empty_file", "no rows, no events")
        elif content is not None and kind in {"unreadable", "damaged", "archive", "utf-16"}:
            self._failed(path, "file_unreadable", content.about or "UTF-16 text; expected UTF-8")
        elif notice := describe(path, self._root, content):
            self._notices.append(notice)
        elif kind == "json":
            self._notice(
                path,
                NOT_READ,
                "JSON without trace events; a table is read as CSV:"
                " msprof --export=on --summary-format=csv",
            )

    def _failed(self, path: Path, name: str, sample: str) -> None:
        self._notice(path, name, sample, severity="error")

    def _notice(
        self, path: Path, name: str, sample: str, *, severity: Severity = "info", count: int = 1
    ) -> None:
        file = relative_name(path, self._root)
        self._notices.append(Notice(file, name, severity, count, sample=sample))


def _split(files: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Separate exported text from everything else; side files of the profiler are neither."""
    named: list[Path] = []
    others: list[Path] = []
    for path in files:
        name = parse_name(path)
        if name is None or name.type == "db":
            others.append(path)
        elif not name.base.startswith(("profiler_info", "profiler_metadata")):
            named.append(path)
    return named, others


def _is_header_damaged(rows: list[list[str]], head: bytes) -> bool:
    """Whether a table's first record runs over its line, as it does after a lone quote."""
    if not rows:
        return False
    if any("\n" in cell or "\r" in cell for cell in rows[0]):
        return True
    lines = [line for line in head.splitlines() if line.strip(b" \t,")]
    return len(rows) < 2 and (len(head) >= SEARCH_BYTES or len(lines) > 1)


def _fill_place(base: str) -> tuple[int, str]:
    return (_FILL_ORDER.index(base) if base in _FILL_ORDER else len(_FILL_ORDER), base)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _content_hash(path: Path) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open_regular(path) as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError:
        # It is reported when it is read; here it only equals nothing.
        return str(path).encode("utf-8", "surrogateescape")
    return digest.digest()
