"""What each device did: the pass in C and the SELECTs tell the same, exactly."""

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import Ingest
from device_spans import (
    FIRST_TS,
    Gap,
    Segment,
    Span,
    borders,
    expected_gaps,
    expected_segments,
    in_order,
    spans,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest import workspace
from npuview.ingest.derive import device_states
from npuview.ingest.errors import IngestError, Interrupted
from npuview.ingest.progress import Work
from npuview.ingest.workspace import Workspace

TABLES = ("device_segment", "device_gap")
SPAN_ROWS = pa.schema(
    [
        ("slice_id", pa.int64()),
        ("device_id", pa.int32()),
        ("ts", pa.int64()),
        ("end_ts", pa.int64()),
        ("state", pa.uint8()),
    ]
)
PERIOD_ROWS = pa.schema([("ts", pa.int64()), ("dur", pa.int64())])
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_sweep = pytest.mark.skipif(device_states.SWEEP is None, reason="the C module is not built")

Device = int | None
Told = dict[str, list[tuple[object, ...]]]


@contextmanager
def opened(folder: Path) -> Generator[Workspace]:
    with Workspace(folder, threads=1, stop=threading.Event()) as space:
        yield space


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with opened(tmp_path_factory.mktemp("states")) as space:
        yield space


@pytest.fixture(params=["one pass", pytest.param("sets", id="sets")])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "sets":
        monkeypatch.setattr(device_states, "SWEEP", None)
    elif device_states.SWEEP is None:
        pytest.skip("the C module is not built")


def fill(space: Workspace, devices: dict[Device, list[Span]], edges: list[int]) -> None:
    rows = [
        {"device_id": device, **span._asdict()} for device in devices for span in devices[device]
    ]
    periods = [{"ts": ts, "dur": end - ts} for ts, end in zip(edges[::2], edges[1::2], strict=True)]
    space.add("device_span", pa.Table.from_pylist(rows, schema=SPAN_ROWS))
    space.add("step_period", pa.Table.from_pylist(periods, schema=PERIOD_ROWS))


def told(space: Workspace) -> Told:
    device_states.derive_states(space, Work())
    rows = {name: space.rows(f"FROM {name} ORDER BY device_id, ts") for name in TABLES}
    types = {f"{name} columns": space.rows(f"DESCRIBE {name}") for name in TABLES}
    space.drop(*TABLES)
    return rows | types


@pytest.mark.usefixtures("way")
@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([None, 0, 7]), spans, max_size=3), borders)
def test_a_device_is_in_the_lowest_state_that_is_open(
    space: Workspace, devices: dict[Device, list[Span]], edges: list[int]
) -> None:
    edges = sorted(edges)[: len(edges) // 2 * 2]
    fill(space, devices, edges)
    try:
        found = told(space)
    finally:
        space.drop("device_span", "step_period")
    order = [device for device in (0, 7, None) if devices.get(device)]
    assert found["device_segment"] == [
        (device, *row) for device in order for row in expected_segments(devices[device], edges)
    ]
    assert found["device_gap"] == [
        (device, *row) for device in order for row in expected_gaps(devices[device])
    ]


@needs_sweep
@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([None, 0, 7]), spans, max_size=3), borders)
def test_one_pass_makes_the_tables_of_the_selects(
    space: Workspace, devices: dict[Device, list[Span]], edges: list[int]
) -> None:
    fill(space, devices, sorted(edges)[: len(edges) // 2 * 2])
    try:
        swept = told(space)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(device_states, "SWEEP", None)
            assert swept == told(space)
    finally:
        space.drop("device_span", "step_period")


@needs_sweep
@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "torch_npu/level0/rank0_ascend_pt",
        "torch_npu/level1/rank1_ascend_pt",
        "msprof_2023",
        "msprof_analyze",
        "gpu/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
    ],
)
def test_real_profiles_have_the_same_ledger_and_gaps_either_way(
    shared_data: Path, real: Ingest, ingest: Ingest, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    source = shared_data / name
    if name == "msprof_2023":
        source = min(source.iterdir())
    tables = ("ledger", "gap", "stretch", "step")
    swept = real(source)
    expected = {table: swept.rows(f"FROM {table} ORDER BY ALL") for table in tables}
    monkeypatch.setattr(device_states, "SWEEP", None)
    selected = ingest(source)
    assert {table: selected.rows(f"FROM {table} ORDER BY ALL") for table in tables} == expected
    assert expected["gap"]


@pytest.mark.usefixtures("way")
def test_borders_cut_the_time_before_and_after_all_work(space: Workspace) -> None:
    fill(space, {3: [Span(20, 30, 1, 5)]}, [0, 10, 10, 40])
    found = told(space)
    space.drop("device_span", "step_period")
    assert [row[1:4] for row in found["device_segment"]] == [
        (0, 10, 10),
        (10, 20, 10),
        (20, 30, 1),
        (30, 40, 10),
    ]
    assert found["device_gap"] == []


@needs_sweep
def test_the_pass_stops_between_two_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "BATCH_ROWS", 2048)
    work = Work()
    with opened(tmp_path) as space:
        rows = [Span(at * 10, at * 10 + 5, 1, at) for at in range(10_000)]
        fill(space, {0: rows}, [])
        add = space.add

        def stop_after_first(name: str, rows: pa.Table | pa.RecordBatch) -> None:
            add(name, rows)
            if rows.num_rows:
                work.stop.set()

        monkeypatch.setattr(space, "add", stop_after_first)
        with pytest.raises(Interrupted):
            device_states.derive_states(space, work)
        [(count,)] = space.rows("SELECT count(*) FROM device_segment")
        assert 0 < count < 10_000
        # What was read from is free again.
        space.drop("device_span")


@needs_sweep
def test_a_span_that_is_none_is_an_error_with_its_device(tmp_path: Path) -> None:
    with opened(tmp_path) as space:
        fill(space, {4: [Span(20, 20, 1, 0)]}, [])
        with pytest.raises(IngestError, match="device 4: a span does not end after its start"):
            device_states.derive_states(space, Work())
        space.drop("device_segment", "device_gap", "device_span")
        space.add("device_span", pa.table({"slice_id": [1], "device_id": [4], "ts": [None]}))
        space.rows("ALTER TABLE device_span ADD COLUMN end_ts BIGINT")
        space.rows("ALTER TABLE device_span ADD COLUMN state UTINYINT")
        space.rows("ALTER TABLE device_span ALTER ts TYPE BIGINT")
        with pytest.raises(IngestError, match="device 4: 1 of 1 values are missing"):
            device_states.derive_states(space, Work())


def test_gaps_hold_the_waits_and_name_the_lowest_state_then_number() -> None:
    rows = [
        Span(FIRST_TS, FIRST_TS + 10, 8, 1),
        Span(FIRST_TS + 5, FIRST_TS + 10, 2, 9),
        Span(FIRST_TS + 6, FIRST_TS + 10, 2, 8),
        Span(FIRST_TS + 12, FIRST_TS + 15, 9, 2),
        Span(FIRST_TS + 14, FIRST_TS + 16, 9, 3),
        Span(FIRST_TS + 20, FIRST_TS + 30, 1, 4),
    ]
    assert expected_gaps(in_order(rows)) == [Gap(FIRST_TS + 10, FIRST_TS + 20, 4, 8, 4)]
    assert expected_segments(rows[:1], [FIRST_TS + 4]) == [
        Segment(FIRST_TS, FIRST_TS + 4, 8, False, True),
        Segment(FIRST_TS + 4, FIRST_TS + 10, 8, False, True),
    ]
