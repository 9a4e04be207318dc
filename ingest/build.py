"""One rank of a store from one profile: read, derive, write, in this order."""

from pathlib import Path
from typing import Final

import orjson
import pyarrow as pa

from . import schema
from .derive.plan import Extent, RankFacts, derive_tables
from .derive.tracks import Track, tracks
from .limits import default_threads
from .look import look_through
from .notice import ImportLog, Notice
from .profile import Profile, fingerprint
from .progress import Work
from .read.rows import Series
from .read.window import EVER, Window
from .selection import EVERYTHING, Selection
from .store import RankManifest, describe_files
from .tables import read_tables
from .text import printable
from .timeline import read_timelines
from .workspace import Workspace

SERIES_ROWS: Final = pa.schema(
    [
        ("series_id", pa.int64()),
        ("rank", pa.int32()),
        ("track_id", pa.int64()),
        ("name", pa.string()),
        ("key", pa.string()),
        ("unit", pa.string()),
    ]
)

NOTICE_ROWS: Final = pa.schema(
    [
        ("rank", pa.int32()),
        ("file", pa.string()),
        ("name", pa.string()),
        ("severity", pa.string()),
        ("count", pa.int64()),
        ("first_offset", pa.int64()),
        ("sample", pa.string()),
    ]
)


def build_rank(
    profile: Profile,
    ordinal: int,
    directory: Path,
    work: Work,
    *,
    selection: Selection = EVERYTHING,
    jobs: int | None = None,
) -> RankManifest:
    """Write all tables of a profile into a directory; return what they are.

    ``jobs`` is how many threads may work, as many as the machine allows without it.

    Raises IngestError when a file cannot be read at all and Interrupted when asked
    to stop; the caller removes the directory then.
    """
    # Taken first: what changes while it is read makes the store stale, not wrong.
    mark = fingerprint(profile)
    log = ImportLog()
    log.extend(profile.notices)
    base = ordinal << schema.ID_BITS
    threads = jobs or default_threads()
    window = _window(profile, selection, log, work, threads)
    with Workspace(directory, threads=threads, stop=work.stop) as space:
        reader = read_timelines(
            profile, space, log, work, first_arg_set_id=base, jobs=threads, window=window
        )
        space.finish_rows()
        space.finish_args()
        space.words(reader.words.texts)
        summaries = read_tables(profile, space, reader.lanes, reader.series, log, work, window)
        lanes = tracks(reader.lanes, base=base, device_id=profile.device_id)
        _add_series(space, reader.series, lanes, profile.rank, base)
        facts = RankFacts(
            rank=profile.rank,
            producer=profile.producer,
            rank_known=profile.rank_known,
            world_size=profile.world_size,
            groups=profile.groups,
            base=base,
            steps=selection.step_range,
            spaced=profile.spaces_kernels,
            scheduled_warmup=profile.scheduled_warmup,
        )
        size = derive_tables(space, lanes, log, work, facts)
        space.add("track", _track_rows(lanes, profile.rank))
        space.add("profile", _profile_row(profile, size, lanes))
        space.add("import_stat", _notice_rows(list(log), profile.rank))
        space.finish(schema.TRACK, schema.PROFILE, schema.IMPORT_STAT)
        space.finish(schema.COUNTER_SERIES, schema.COUNTER)
        for name in summaries:
            space.finish_as_read(name)
        work.stage("write")
        tables = space.finished()
        tables[schema.SLICE_ARG.name] = space.arg_rows
    work.check()
    return RankManifest(
        schema_version=schema.SCHEMA_VERSION,
        rank=profile.rank,
        ordinal=ordinal,
        name=profile.name,
        fingerprint=mark,
        files=describe_files(directory),
        tables=tables,
    )


def _window(
    profile: Profile, selection: Selection, log: ImportLog, work: Work, threads: int
) -> Window:
    """Return the time that is wanted, and say in import_stat that there is more."""
    if not selection.text:
        return EVER
    seen = look_through(profile, work, jobs=threads) if selection.needs_look else None
    window = selection.window(seen)
    log.add("", "selected", "info", sample=f"read with {selection.text}: there may be more")
    return window


def _add_series(
    space: Workspace,
    series: dict[tuple[int, str, str], Series],
    lanes: list[Track],
    rank: int,
    base: int,
) -> None:
    track_of = {track.lane: track.track_id for track in lanes}
    rows = [
        {
            "series_id": base + one.number,
            "rank": rank,
            "track_id": track_of[one.lane],
            "name": one.name,
            "key": one.key,
            "unit": one.unit,
        }
        for one in series.values()
    ]
    space.add("counter_series", pa.Table.from_pylist(rows, schema=SERIES_ROWS))
    space.derive("counter", base=base)


def _track_rows(lanes: list[Track], rank: int) -> pa.Table:
    return pa.table(
        {
            "track_id": pa.array([t.track_id for t in lanes], pa.int64()),
            "rank": pa.array([rank] * len(lanes), pa.int32()),
            "device_id": pa.array([t.device_id for t in lanes], pa.int32()),
            "kind": pa.array([t.kind for t in lanes], pa.string()),
            "process_name": pa.array([t.process_name for t in lanes], pa.string()),
            "process_label": pa.array([t.process_label for t in lanes], pa.string()),
            "thread_name": pa.array([t.thread_name for t in lanes], pa.string()),
            "pid_text": pa.array([t.pid_text for t in lanes], pa.string()),
            "tid_text": pa.array([t.tid_text for t in lanes], pa.string()),
            "stream_id": pa.array([t.stream_id for t in lanes], pa.int64()),
            "sort_order": pa.array([t.sort_order for t in lanes], pa.int64()),
            "group": pa.array([t.group_name for t in lanes], pa.string()),
        }
    )


def _profile_row(profile: Profile, size: Extent, lanes: list[Track]) -> pa.Table:
    devices = {track.device_id for track in lanes if track.device_id is not None}
    device_id = profile.device_id
    if device_id is None and len(devices) == 1:
        (device_id,) = devices
    epoch = size.ts >= schema.EPOCH_FROM_NS
    offset: int | None = 0 if epoch else None
    if not epoch and profile.clock_start is not None:
        monotonic, wall = profile.clock_start
        offset = wall - monotonic if abs(wall - monotonic) < 1 << 62 else None
    row = {
        "rank": profile.rank,
        "rank_known": profile.rank_known,
        "world_size": profile.world_size,
        "device_id": device_id,
        "host": profile.host,
        "cube_cores": profile.cube_cores,
        "vector_cores": profile.vector_cores,
        "producer": profile.producer,
        "versions": orjson.dumps(profile.versions).decode(),
        "level": profile.level,
        "switches": orjson.dumps(profile.switches).decode(),
        "name": profile.name,
        "path": printable(str(profile.path)),
        "clock": "epoch" if epoch else "boot",
        "clock_offset": offset,
        "ts": size.ts if size.known else None,
        "dur": size.end_ts - size.ts if size.known else None,
    }
    return pa.Table.from_pylist([row])


def _notice_rows(notices: list[Notice], rank: int) -> pa.Table:
    rows = [
        {
            "rank": rank,
            "file": one.file,
            "name": one.name,
            "severity": one.severity,
            "count": one.count,
            "first_offset": one.first_offset,
            "sample": one.sample,
        }
        for one in sorted(notices, key=lambda n: (n.severity, n.file, n.name))
    ]
    return pa.Table.from_pylist(rows, schema=NOTICE_ROWS)
