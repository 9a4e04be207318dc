"""The timeline files of one profile, read into the workspace in their order.

Primary files are read whole. A file that only fills in (the older msprof layout
repeats lanes in files of their own) gives the lanes that no primary file has.
"""

import gc
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress

from .compiled import has_scanner
from .derive.tracks import same_lane_key
from .errors import IngestError
from .folder import relative_name
from .notice import ImportLog
from .profile import Profile, TimelineFile
from .progress import Work
from .read.event import Event, decode_object, raw_text
from .read.frame import Batch, Frame
from .read.lanes import Lane, LaneTable
from .read.rows import RowSink
from .read.source import TimelineSource
from .read.trace_events import TimelineReader
from .read.window import EVER, Window
from .read.write_behind import WriteBehind


def read_timelines(
    profile: Profile,
    sink: RowSink,
    log: ImportLog,
    work: Work,
    *,
    first_arg_set_id: int,
    jobs: int,
    window: Window = EVER,
) -> TimelineReader:
    """Read all timeline files; return the reader with its lanes and counter series.

    The scanner in C, where there is one, runs on ``jobs`` threads; what lies wholly
    outside the ``window`` is left out. Raises IngestError when a file is no timeline and
    Interrupted when stopped.
    """
    primary = [file for file in profile.timelines if file.role == "primary"]
    with _collector_resting(), WriteBehind(sink) as rows:
        reader = TimelineReader(rows, log, first_arg_set_id=first_arg_set_id, window=window)
        for file in primary:
            _read(reader, profile, file, log, work, jobs)
        known = {same_lane_key(lane, reader.lanes.process(lane)) for lane in reader.lanes.lanes}
        for file in profile.timelines:
            if file.role == "fill":
                wanted = _missing_lanes(profile, file, work, known if primary else set())
                batches = _batches(profile, file, log, work)
                reader.read(
                    file_name(profile, file), batches, accept=wanted, group=_file_group(file)
                )
        reader.finish()
    return reader


def _read(
    reader: TimelineReader,
    profile: Profile,
    file: TimelineFile,
    log: ImportLog,
    work: Work,
    jobs: int,
) -> None:
    name = file_name(profile, file)
    if not has_scanner():
        reader.read(name, _batches(profile, file, log, work))
        return
    # Where there is no scanner there is nothing to import.
    from .read.scanned_timeline import scanned_blocks  # noqa: PLC0415 # see above

    source = _source(profile, file, log, work)
    reader.read_scanned(name, scanned_blocks(source, name, log, jobs=jobs, window=reader.window))


@contextmanager
def _collector_resting() -> Generator[None]:
    """Keep the garbage collector from looking through millions of rows without cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def file_name(profile: Profile, file: TimelineFile) -> str:
    """Return a file's name as import_stat shows it: relative to the profile."""
    return relative_name(file.path, profile.root)


def _batches(profile: Profile, file: TimelineFile, log: ImportLog, work: Work) -> Iterator[Batch]:
    source = _source(profile, file, log, work)
    for batch in Frame(source.chunks(), file_name(profile, file), log).batches():
        work.check()
        yield batch


def _source(profile: Profile, file: TimelineFile, log: ImportLog, work: Work) -> TimelineSource:
    name = file_name(profile, file)
    try:
        size = file.path.stat().st_size
    except OSError as error:
        raise IngestError(f"{file.path}: {error.strerror or error}") from error
    work.stage(f"read {name}", total_bytes=size)
    return TimelineSource(file.path, name, log, member=file.member, advance=work.advance)


def _missing_lanes(
    profile: Profile, file: TimelineFile, work: Work, known: set[tuple[str, str]]
) -> Callable[[Lane], bool]:
    """Look through a file for its lanes' names; accept those that are not known yet.

    Names may come after the events, so this takes a pass of its own.
    """
    lanes = LaneTable()
    for batch in _batches(profile, file, ImportLog(), work):
        for event in batch.events:
            _note(lanes, event)
    repeated = {
        lane.identity for lane in lanes.lanes if same_lane_key(lane, lanes.process(lane)) in known
    }
    return lambda lane: lane.identity not in repeated


def _file_group(file: TimelineFile) -> str:
    """Return what files of one kind have in common: ``hccl`` of ``hccl_0_2_1.json``."""
    return re.split(r"_\d", file.path.stem)[0]


def _note(lanes: LaneTable, event: Event) -> None:
    match event.ph:
        case "M":
            with suppress(ValueError):
                lanes.describe(event, decode_object(event.args)[0])
        case "X" | "B" | "E" | "i" | "I" | "s" | "t" | "f":
            lanes.thread(event)
        case "C":
            lanes.counter(event)
        case "b" | "e" | "n":
            lanes.asynchronous(event, raw_text(event.id or event.id2))
        case _:
            pass
