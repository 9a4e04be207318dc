"""Rows of a statement come batch by batch, in order, and can be stopped."""

import threading
from pathlib import Path

import pyarrow as pa
import pytest

from npuview.ingest.errors import IngestError, Interrupted
from npuview.ingest.workspace import Workspace

STRETCHES = pa.table(
    {
        "track_id": pa.array([1] * 300_000, pa.int64()),
        "ts": pa.array(range(300_000), pa.int64()),
        "dur": pa.array([1] * 300_000, pa.int64()),
    }
)


def test_rows_come_in_their_order_while_other_tables_grow(tmp_path: Path) -> None:
    with Workspace(tmp_path, threads=2, stop=threading.Event()) as space:
        space.add("stretch", STRETCHES)
        found: list[int] = []
        batches = 0
        for rows in space.stream("nested_stretch"):
            space.add("other", rows)
            found += rows.column("ts").to_pylist()
            batches += 1
        assert found == list(range(300_000))
        assert batches > 1
        assert space.rows("SELECT count(*) FROM other") == [(300_000,)]


def test_a_stream_ends_when_the_work_is_stopped(tmp_path: Path) -> None:
    stop = threading.Event()
    with Workspace(tmp_path, threads=1, stop=stop) as space:
        space.add("stretch", STRETCHES)
        stream = space.stream("nested_stretch")
        next(stream)
        stop.set()
        with pytest.raises(Interrupted):
            next(stream)


def test_a_statement_that_cannot_be_asked_says_why(tmp_path: Path) -> None:
    with (
        Workspace(tmp_path, threads=1, stop=threading.Event()) as space,
        pytest.raises(IngestError, match="stretch does not exist"),
    ):
        next(space.stream("nested_stretch"))
