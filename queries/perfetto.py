"""A selection as a file that Perfetto and chrome://tracing open without dropping an event."""

import gzip
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from itertools import islice, pairwise
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE
from typing import TYPE_CHECKING, Protocol

import duckdb
import orjson

from ..ingest.errors import NpuviewError, UsageError
from .errors import engine_errors
from .perfetto_arrows import Arrows
from .perfetto_events import Drawing, Sample, Slice
from .perfetto_tracks import LaneRow, number_tracks
from .selection import Selection, Window, choose, describe, nothing_selected, statement

if TYPE_CHECKING:
    from .session import Session

PART_SLICES = 1 << 16
"""About as many slices are held in memory at a time."""

STRIDE_SLICES = 1 << 9
"""Every so many-th slice is looked at to find where a part ends."""

ARGS_GAP = 1 << 15
"""Args whose numbers lie farther apart are read in two strokes."""

EVENTS_PER_WRITE = 1 << 12
GZIP_LEVEL = 6
FIRST_NS = -(1 << 63)
LAST_NS = (1 << 63) - 1

Told = Callable[[int, int], None]
"""Takes how many slices are written, and of how many."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote.

    ``tracks`` are the lanes written, ``extra_tracks`` those of them that exist
    only because overlapping slices do not fit on one lane. ``flows`` have both
    ends in the selection; ``reversed_flows`` of them end before they start and
    are written the other way round. ``dropped_flow_ends`` lie in the selection
    but their arrow does not. ``counters`` are samples, ``metadata`` the events
    that name the lanes. A time of the file plus ``offset_ns`` is a time of the trace.
    """

    slices: int
    instants: int
    flows: int
    counters: int
    metadata: int
    tracks: int
    bytes: int
    extra_tracks: int
    offset_ns: int
    dropped_flow_ends: int
    reversed_flows: int
    unfinished: int


def export(
    session: "Session",
    selection: Selection,
    out: Path,
    *,
    force: bool = False,
    told: Told | None = None,
) -> ExportReport:
    """Write a selection as Chrome trace JSON, compressed when the name ends in ``.gz``.

    Times are microseconds with three decimals from the first instant exported.
    Perfetto reads them exactly as long as an export covers less than 50 days.
    The file appears whole or not at all. ``told`` hears now and then how far it is; what
    it raises ends the export.

    Raises UsageError when the selection is empty or names what does not exist,
    or when the file exists and ``force`` is not set; NpuviewError when it
    cannot be written.
    """
    cursor = session.cursor()
    try:
        _check_target(out, force=force)
        with engine_errors("export", session.place):
            # An answer that was not read to its end would be in the way.
            cursor.abort()
            session.need("slice_arg")
            return _export(cursor, session.store.source, selection, out, force=force, told=told)
    except OSError as error:
        raise NpuviewError(
            f"{out}: {error.strerror or error}; nothing was written: choose another file with -o"
        ) from error
    finally:
        with suppress(duckdb.Error):
            cursor.execute(statement("drop"))


class Sink(Protocol):
    """A file that bytes are written to."""

    def write(self, data: bytes, /) -> int:
        """Write all of the bytes."""
        ...


class _Writer:
    """Writes the JSON object around the events and the commas between them."""

    def __init__(self, file: Sink) -> None:
        self._file = file
        self._before = '{"traceEvents":[\n'

    def write(self, events: Iterable[str]) -> int:
        """Write events and return how many they were."""
        rest = iter(events)
        written = 0
        while batch := list(islice(rest, EVENTS_PER_WRITE)):
            self._file.write((self._before + ",\n".join(batch)).encode())
            self._before = ",\n"
            written += len(batch)
        return written

    def close(self, metadata: dict[str, object]) -> None:
        self._file.write(
            b'\n],"displayTimeUnit":"ns","metadata":' + orjson.dumps(metadata) + b"}\n"
        )


def _check_target(out: Path, *, force: bool) -> None:
    if out.is_dir():
        raise UsageError(f"{out}: is a directory; name a file in it")
    if out.exists() and not out.is_file():
        raise UsageError(f"{out}: is not a plain file; name another one")
    if out.exists() and not force:
        raise UsageError(f"{out}: exists already; use --force to replace it or name another file")
    if out.exists() and not os.access(out, os.W_OK):
        raise UsageError(f"{out}: is write-protected; name another file")


@contextmanager
def _appearing(out: Path, *, force: bool) -> Generator[Sink]:
    """Write a file beside its place and move it there when it is whole.

    A file that is there keeps its mode, and a link to it stays a link.
    """
    target = Path(os.path.realpath(out))
    part = target.with_name(f".npuview-{token_hex(8)}.part")
    try:
        with part.open("xb") as plain:
            if out.suffix == ".gz":
                with gzip.GzipFile("", "wb", GZIP_LEVEL, plain, mtime=0) as packed:
                    yield packed
            else:
                yield plain
            plain.flush()
            os.fsync(plain.fileno())
        _check_target(out, force=force)
        if target.exists():
            part.chmod(S_IMODE(target.stat().st_mode))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _lanes(cursor: duckdb.DuckDBPyConnection) -> list[LaneRow]:
    cursor.execute(statement("lanes"))
    names = ", ".join(LaneRow._fields)
    rows = cursor.execute(f"SELECT {names} FROM export_lane ORDER BY lane").fetchall()
    return [LaneRow._make(row) for row in rows]


def _export(
    cursor: duckdb.DuckDBPyConnection,
    source: str,
    selection: Selection,
    out: Path,
    *,
    force: bool,
    told: Told | None,
) -> ExportReport:
    windows = choose(cursor, selection)
    lanes = _lanes(cursor)
    if not lanes:
        raise nothing_selected(cursor, selection)
    with _appearing(out, force=force) as file:
        writer = _Writer(file)
        report = _write(cursor, writer, windows, lanes, told)
        selected = describe(selection, windows)
        writer.close(_metadata(source, selected, _origins(cursor), report))
    return replace(report, bytes=out.stat().st_size)


def _write(
    cursor: duckdb.DuckDBPyConnection,
    writer: _Writer,
    windows: Sequence[Window],
    lanes: Sequence[LaneRow],
    told: Told | None,
) -> ExportReport:
    tracks = number_tracks(lanes)
    offset_ns = min(row.first_ts for row in lanes)
    drawing = Drawing(tracks.places, offset_ns)
    arrows = Arrows(cursor)
    metadata = writer.write(tracks.events)
    of = sum(row.slices for row in lanes)
    for window in windows:
        slices = sum(row.slices for row in lanes if row.rank == window.rank)
        for from_ts, to_ts in _parts(cursor, window, slices):
            part = _slices(cursor, Window(window.rank, from_ts, to_ts))
            ends = arrows.ends(window.rank, part)
            writer.write(drawing.events(part, ends, _args(cursor, part)))
            if told is not None:
                told(drawing.slices + drawing.instants, of)
    for lane, track_id, name in cursor.execute(statement("counters")).fetchall():
        writer.write(drawing.samples(name or "", lane, _samples(cursor, track_id, name)))
    bare = cursor.execute(statement("bare_ends")).fetchone()
    return ExportReport(
        slices=drawing.slices,
        instants=drawing.instants,
        flows=drawing.flows,
        counters=sum(row.samples for row in lanes),
        metadata=metadata,
        tracks=len(lanes),
        bytes=0,
        extra_tracks=sum(row.is_extra for row in lanes),
        offset_ns=offset_ns,
        dropped_flow_ends=arrows.missed_ends + (bare[0] if bare else 0),
        reversed_flows=drawing.reversed_flows,
        unfinished=sum(row.unfinished for row in lanes),
    )


def _parts(
    cursor: duckdb.DuckDBPyConnection, window: Window, slices: int
) -> Iterable[tuple[int, int]]:
    """Cut a rank's slices by their start into parts that fit into memory."""
    if slices <= PART_SLICES:
        return [(FIRST_NS, LAST_NS)]
    starts = cursor.execute(
        statement("cuts"), {"rank": window.rank, "stride": STRIDE_SLICES}
    ).fetchall()
    every = PART_SLICES // STRIDE_SLICES
    # Slices that are cut start together at the border: they stay in the first part.
    border = FIRST_NS if window.from_ts is None else window.from_ts
    cuts = sorted({start for (start,) in starts[every::every] if start > border})
    return pairwise([FIRST_NS, *cuts, LAST_NS])


def _slices(cursor: duckdb.DuckDBPyConnection, part: Window) -> list[Slice]:
    rows = cursor.execute(statement("slices"), part._asdict()).fetchall()
    return [Slice._make(row) for row in rows]


def _args(cursor: duckdb.DuckDBPyConnection, slices: Iterable[Slice]) -> dict[int, str]:
    """Read the args of slices; neighbours on a lane are neighbours there too."""
    wanted = sorted({one.arg_set_id for one in slices if one.arg_set_id is not None})
    if not wanted:
        return {}
    jumps = [at for at in range(1, len(wanted)) if wanted[at] - wanted[at - 1] > ARGS_GAP]
    args: dict[int, str] = {}
    for begin, end in pairwise([0, *jumps, len(wanted)]):
        stretch = wanted[begin:end]
        places = {"first": stretch[0], "last": stretch[-1], "wanted": stretch}
        args.update(cursor.execute(statement("args"), places).fetchall())
    return args


def _samples(
    cursor: duckdb.DuckDBPyConnection, track_id: int, name: str | None
) -> Iterator[Sample]:
    cursor.execute(statement("samples"), {"track_id": track_id, "name": name})
    while rows := cursor.fetchmany(EVENTS_PER_WRITE):
        yield from map(Sample._make, rows)


def _origins(cursor: duckdb.DuckDBPyConnection) -> list[dict[str, object]]:
    """Return where each exported rank was read from and what its clock shows."""
    names = ("rank", "path", "clock", "clock_offset")
    rows = cursor.execute(
        f"SELECT {', '.join(names)} FROM profile"
        " WHERE rank IN (SELECT rank FROM export_window) ORDER BY rank"
    ).fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


def _metadata(
    source: str,
    selected: dict[str, object],
    origins: Sequence[dict[str, object]],
    report: ExportReport,
) -> dict[str, object]:
    clocks = {origin["clock"] for origin in origins}
    counts = asdict(report)
    del counts["bytes"], counts["offset_ns"]
    return {
        "npuview": version("npuview"),
        "source": source,
        "selection": selected,
        "offset_ns": report.offset_ns,
        "clock": clocks.pop() if len(clocks) == 1 else None,
        "ranks": origins,
        "counts": counts,
    }
