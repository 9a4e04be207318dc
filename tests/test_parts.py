"""The rows of the timeline: parts of streams and planes, a device's work and its gaps."""

from itertools import pairwise
from pathlib import Path

import pytest
from build import KERNEL_DETAILS, TraceBuilder, torch_profile
from conftest import Ingest, Ingested
from hypothesis import given, settings
from hypothesis import strategies as st
from test_lod import sweep

from npuview.ingest.pipeline import open_store
from npuview.ingest.schema import SLICE_PARTS

TASKS = (
    ("AI_CORE", "compute"),
    ("AI_VECTOR_CORE", "vector"),
    ("AIV_SQE", "vector"),
    ("MIX_AIV", "vector"),
    ("KERNEL_AIVEC", "vector"),
    ("DSA_SQE", "vector"),
    ("MIX_AIC", "cube"),
    ("KERNEL_MIX_AIC", "cube"),
    ("KERNEL_AICORE", "compute"),
    ("AI_CPU", "compute"),
    ("SDMA_SQE", "transfer"),
    ("PCIE_DMA_SQE", "transfer"),
    ("EVENT_WAIT", "waiting"),
    ("Notify Wait", "waiting"),
    ("EVENT_RECORD_SQE", "control"),
    ("PLACE_HOLDER_SQE", "control"),
    ("Other", "control"),
)


def kernel_row(name: str, ts: int, core: str) -> dict[str, str]:
    return {
        "Step Id": "1",
        "Device_id": "0",
        "Stream ID": "2",
        "Name": name,
        "Accelerator Core": core,
        "Start Time(us)": f"{ts / 1000:.3f}",
        "Duration(us)": "0.100",
    }


def test_without_a_kernel_table_the_task_type_tells_the_part_where_it_can(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    for number, (task_type, _) in enumerate(TASKS):
        name = "TASK" if task_type == "Other" else f"n{number}"
        trace.task(name, number * 1000, 100, task_type=task_type)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("SELECT task_type, part FROM slice ORDER BY ts") == list(TASKS)


@pytest.mark.parametrize(
    ("core", "task_type", "part"),
    [
        ("AI_CORE", "AI_CORE", "cube"),
        ("MIX_AIC", "AI_CORE", "cube"),
        ("AIC", "AI_VECTOR_CORE", "cube"),
        ("AI_VECTOR_CORE", "AI_CORE", "vector"),
        ("MIX_AIV", "AI_CORE", "vector"),
        ("DSA_SQE", "DSA_SQE", "vector"),
        ("AI_CPU", "AI_VECTOR_CORE", "compute"),
        ("N/A", "AI_VECTOR_CORE", "vector"),
        ("N/A", "AI_CORE", "compute"),
    ],
)
def test_the_core_of_the_kernel_table_wins_over_the_task_type(
    core: str, task_type: str, part: str, tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.kernel("op", 1000, 100, task_type=task_type)
    profile.csv("kernel_details", KERNEL_DETAILS, [kernel_row("op", 1000, core)])
    assert ingest(profile.write()).rows("SELECT part FROM slice") == [(part,)]


def test_a_kernel_that_also_communicates_stands_on_the_row_of_its_core(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.kernel("AllGatherMatmul", 0, 100, task_type="MIX_AIC")
    trace.kernel("MatmulAllReduce", 200, 100)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("SELECT class, part FROM slice ORDER BY ts") == [
        ("mc2", "cube"),
        ("mc2", "compute"),
    ]


def test_only_streams_and_planes_have_parts(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    trace.host_thread().slice("h", 0, 10)
    trace.kernel("k", 0, 10)
    trace.collective(20, 50, waits={1: (20, 10)}, moves=[(1, 30, 10)])
    trace.overlap("Computing", 0, 10)
    store = ingest(trace.write(tmp_path / "t.json"))
    rows = store.rows(
        "SELECT DISTINCT kind, part FROM slice JOIN track USING (track_id) ORDER BY 1, 2"
    )
    assert rows == [
        ("group", None),
        ("overlap", None),
        ("plane", "transfer"),
        ("plane", "waiting"),
        ("python", None),
        ("stream", "compute"),
    ]


def test_the_made_up_run_has_every_part_that_the_schema_names_but_unknown_cores(
    sample: Path, places: Path
) -> None:
    store = Ingested(open_store(sample, cache_dir=places / "cache"))
    found = {part for (part,) in store.rows("SELECT DISTINCT part FROM slice")}
    assert found - {"compute"} == {None, *SLICE_PARTS} - {"compute"}


def test_each_device_has_a_lane_of_work_and_one_of_gaps_below_all_others(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder(device=3)
    trace.kernel("a", 1000, 100)
    trace.task("wait", 1100, 300, stream=4, task_type="EVENT_WAIT")
    trace.kernel("b", 1500, 100, stream=4)
    trace.counter("HBM", 1000, {"value": 1})
    store = ingest(trace.write(tmp_path / "t.json"))
    derived = store.rows(
        "SELECT kind, device_id, process_name, process_label, thread_name, pid_text"
        " FROM track WHERE sort_order >= (SELECT count(*) - 2 FROM track) ORDER BY sort_order"
    )
    assert derived == [
        ("device", 3, None, "NPU 3", "Device", None),
        ("gap", 3, None, "NPU 3", "Gaps", None),
    ]
    assert store.rows(
        "SELECT kind, slices, busy, launches, deepest, sublanes, p.ts, p.dur"
        " FROM lane_part AS p JOIN track USING (track_id)"
        " WHERE kind IN ('device', 'gap') ORDER BY kind"
    ) == [
        ("device", 0, 200, None, None, None, 1000, 600),
        ("gap", 0, 400, None, None, None, 1100, 400),
    ]


def test_a_profile_without_a_device_has_no_lanes_of_one(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    trace.host_thread().slice("h", 0, 10)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("SELECT kind FROM track") == [("python",)]
    assert store.rows("FROM stretch") == []


def test_a_row_of_the_timeline_knows_how_much_stands_on_it(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    host = trace.cann_thread()
    host.slice("outer", 0, 1000)
    host.slice("inner", 100, 200)
    host.slice("across", 900, 300)
    kernel = trace.kernel("k", 3000, 100, connection_id=7)
    trace.launch(kernel, 400, 50)
    trace.task("wait", 3050, 500, task_type="EVENT_WAIT")
    store = ingest(trace.write(tmp_path / "t.json"))
    rows = store.rows(
        "SELECT kind, part, slices, busy, launches, deepest, sublanes, p.ts, p.dur"
        " FROM lane_part AS p JOIN track USING (track_id)"
        " WHERE kind IN ('cann', 'stream') ORDER BY kind, part NULLS FIRST"
    )
    inside = store.one("SELECT count(*) FROM slice JOIN track USING (track_id) WHERE kind = 'cann'")
    assert rows == [
        ("cann", None, inside, 1200, 1, 1, 2, 0, 1200),
        ("stream", None, 2, 550, None, 0, 2, 3000, 550),
        ("stream", "compute", 1, 100, None, 0, 1, 3000, 100),
        ("stream", "waiting", 1, 500, None, 0, 2, 3050, 500),
    ]


tasks = st.lists(
    st.tuples(
        st.sampled_from(("AI_CORE", "MIX_AIC", "AIV", "SDMA", "EVENT_WAIT", "EVENT_RECORD")),
        st.integers(1, 2),
        st.integers(0, 3_000_000),
        st.integers(0, 400_000),
    ),
    min_size=1,
    max_size=40,
)

Cells = dict[tuple[int, str | None, int], tuple[int, int]]


def swept(ranges: dict[tuple[int, str | None], list[tuple[int, int]]], level: int) -> Cells:
    """Return busy ns and starts of each cell of each lane and part."""
    return {
        (track, part, bucket): (busy, sum(ts >> level == bucket for ts, _ in held))
        for (track, part), held in ranges.items()
        for bucket, busy in sweep(held, level).items()
    }


def ingested(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int, int, int]]
) -> Ingested:
    folder = tmp_path_factory.mktemp("parts")
    trace = TraceBuilder()
    trace.host_thread().slice("all", 0, 3_500_000)
    for task_type, stream, ts, dur in drawn:
        trace.task("t", ts, dur, stream=stream, task_type=task_type)
    return Ingested(open_store(trace.write(folder / "t.json"), cache_dir=folder / "cache"))


@settings(max_examples=6, deadline=None)
@given(tasks)
def test_cells_of_parts_and_of_derived_lanes_equal_a_sweep_at_every_level(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int, int, int]]
) -> None:
    store = ingested(tmp_path_factory, drawn)
    ranges: dict[tuple[int, str | None], list[tuple[int, int]]] = {}
    for track, part, ts, dur in store.rows("SELECT track_id, part, ts, dur FROM slice"):
        ranges.setdefault((track, None), []).append((ts, ts + dur))
        if part:
            ranges.setdefault((track, part), []).append((ts, ts + dur))
    for track, ts, end_ts in store.rows("SELECT track_id, ts, end_ts FROM stretch"):
        ranges.setdefault((track, None), []).append((ts, end_ts))
    for (level,) in store.rows("SELECT DISTINCT level FROM lod"):
        found = store.rows(
            f"SELECT track_id, part, bucket, busy, count FROM lod WHERE level = {level}"
        )
        assert {tuple(row[:3]): tuple(row[3:]) for row in found} == swept(ranges, level)
        assert len(found) == len(swept(ranges, level))
    whole = store.rows("SELECT track_id, part, busy, slices FROM lane_part")
    assert {(track, part): (busy, slices) for track, part, busy, slices in whole} == {
        key: (
            sum(sweep(held, 60).values()),
            0 if key[0] in derived(store) else len(held),
        )
        for key, held in ranges.items()
    }


@settings(max_examples=6, deadline=None)
@given(tasks)
def test_work_and_gaps_tile_the_time_from_the_first_to_the_last_task(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int, int, int]]
) -> None:
    store = ingested(tmp_path_factory, drawn)
    # What the task types say, not what was derived from them.
    work = [(ts, ts + dur) for kind, _, ts, dur in drawn if dur and not kind.startswith("EVENT")]
    rows = store.rows(
        "SELECT ts, end_ts, kind FROM stretch JOIN track USING (track_id) ORDER BY ts"
    )
    if not work:
        assert rows == []
        return
    assert rows[0][0] == min(ts for ts, _ in work)
    assert rows[-1][1] == max(end for _, end in work)
    assert all(before[1] == after[0] for before, after in pairwise(rows))
    assert all(end_ts > ts for ts, end_ts, _ in rows)
    assert [kind for _, _, kind in rows] == ["device", "gap"] * (len(rows) // 2) + ["device"]
    working = sum(end_ts - ts for ts, end_ts, kind in rows if kind == "device")
    assert working == sum(sweep(work, 60).values())
    assert store.rows("SELECT ts, dur FROM gap WHERE kind = 'device' ORDER BY ts") == [
        (ts, end_ts - ts) for ts, end_ts, kind in rows if kind == "gap"
    ]


def derived(store: Ingested) -> set[int]:
    """Return the lanes that have no slices."""
    return {
        track
        for (track,) in store.rows("SELECT track_id FROM track WHERE kind IN ('device', 'gap')")
    }
