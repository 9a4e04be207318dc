"""Every question gives the same rows over the index and over the Parquet record."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from build import TraceBuilder, torch_profile
from made_up import MadeUp

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.catalog import shipped_queries
from npuview.queries.session import Session

QUESTIONS = sorted(shipped_queries())
NOT_IN_THE_SAMPLE = {
    "fused_operators": "fused",
    "fusion_candidates": "transposing",
    "health": "moving",
    "layout_chains": "moving",
    "operator_explosion": "exploding",
    "outlier_calls": "exploding",
    "memory_stalls": "allocating",
    "ping_pong": "moving",
    "rank_clocks": "ranks",
    "stream_overlaps": "moving",
}
OF_OTHER_SLICES = {
    "launched": "host_slice_id",
    "launched_summary": "host_slice_id",
    "slice_collective": "collective_slice_id",
    "wait_chain": "wait_slice_id",
}

Both = Callable[[Path], tuple[Session, Session]]


@pytest.fixture(scope="module")
def store(made_up: MadeUp) -> Store:
    return made_up("host_bound").store


@pytest.fixture(scope="module")
def given(store: Store) -> dict[str, object]:
    """Return values for the parameters that have to be given."""
    with Session(store) as session:
        [(slice_id, arg_set_id, host_slice_id)] = session.sql(
            "SELECT slice_id, arg_set_id, host_slice_id"
            " FROM slice JOIN launch_link USING (slice_id)"
            " WHERE host_slice_id IS NOT NULL ORDER BY slice_id LIMIT 1"
        ).rows
        [(level,)] = session.sql("SELECT min(level) + 2 FROM lod").rows
        [(kernel_id, gap_id, step)] = session.sql(
            "SELECT (SELECT min(kernel_id) FROM kernel_metric), (SELECT min(gap_id) FROM gap),"
            " (SELECT max(step) FROM step)"
        ).rows
        [(collective_slice_id,)] = session.sql("SELECT min(slice_id) FROM collective").rows
        [(wait_slice_id,)] = session.sql(
            "SELECT min(slice_id) FROM event_wait WHERE root_slice_id IS NOT NULL"
        ).rows
        [(track_id, ts, from_ts, to_ts)] = session.sql(
            "SELECT s.track_id, s.ts, p.ts, p.ts + p.dur FROM slice AS s CROSS JOIN profile AS p"
            f" WHERE slice_id = {host_slice_id}"
        ).rows
    return {
        "slice_id": slice_id,
        "host_slice_id": host_slice_id,
        "collective_slice_id": collective_slice_id,
        "wait_slice_id": wait_slice_id,
        "kernel_id": kernel_id,
        "gap_id": gap_id,
        "step": step,
        "arg_set_id": arg_set_id,
        "level": level,
        "track_id": track_id,
        "ts": ts,
        "from_ts": from_ts,
        "to_ts": to_ts,
        "text": "mat",
    }


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the store of a run that moves data to and fro, as the sample does not."""
    folder = tmp_path_factory.mktemp("moving")
    trace = TraceBuilder()
    # One of two kernels runs on beside the next.
    trace.kernel("long", 200_000, 90_000)
    trace.kernel("next", 250_000, 90_000)
    for ts, direction in ((0, "device to host"), (50_000, "host to device")):
        trace.task(
            "MEMCPY_ASYNC",
            ts,
            20_000,
            task_type="PCIE_DMA_SQE",
            args={"data size(Byte)": 64, "memcpy direction": direction},
        )
    trace.kernel("trans_TransData_1", 100_000, 5_000)
    trace.kernel("trans_TransData_2", 110_000, 5_000)
    profile = trace.write(folder / "trace_view.json")
    return open_store(profile, cache_dir=folder / "cache").store


@pytest.fixture(scope="module")
def transposing(made_up: MadeUp) -> Store:
    """Return the store of a run whose operators could be fused."""
    return made_up("transposes").store


@pytest.fixture(scope="module")
def allocating(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the store of a run that gets device memory while the device has nothing to do."""
    folder = tmp_path_factory.mktemp("allocating")
    trace = TraceBuilder()
    for number, ts in enumerate((1_000_000, 2_000_000), 1):
        kernel = trace.kernel("k", ts, 10_000, connection_id=number)
        trace.launch(kernel, ts - 20_000, 10_000)
    trace.cann_thread().slice("AscendCL@aclrtMallocPhysical", 1_100_000, 800_000)
    return open_store(trace.write(folder / "trace_view.json"), cache_dir=folder / "cache").store


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the store of two ranks that end a collective together."""
    folder = tmp_path_factory.mktemp("ranks")
    for rank in (0, 1):
        profile = torch_profile(folder / "job", rank=rank)
        profile.trace.collective(1000 + 200 * rank, 900 - 200 * rank)
        profile.write()
    return open_store(folder / "job", cache_dir=folder / "cache").store


@pytest.fixture(scope="module")
def fused(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the store of a profile with a file of fused operators."""
    folder = tmp_path_factory.mktemp("fused")
    header = "Device_id,Model Name,Model ID,Fusion Op,Original Ops,Memory Total(KB)"
    profile = torch_profile(folder)
    profile.trace.kernel("conv_relu", 1_000, 500)
    profile.csv("fusion_op_20260612093015", header, [["0", "net", "1", "conv_relu", "a;b", "1"]])
    return open_store(profile.write(), cache_dir=folder / "cache").store


@pytest.fixture(scope="module")
def exploding(made_up: MadeUp) -> Store:
    """Return the store of a run that calls an operator twice as often in some steps."""
    return made_up("explosion").store


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    """Return what opens a store on both engines, each store once."""
    with ExitStack() as opened:

        @cache
        def sessions(path: Path) -> tuple[Session, Session]:
            store = Store.open(path)
            index = opened.enter_context(Session(store))
            return index, opened.enter_context(Session(store, engine="parquet"))

        yield sessions


@pytest.mark.parametrize("name", QUESTIONS)
def test_both_engines_answer_alike(
    *,
    both: Both,
    store: Store,
    moving: Store,
    allocating: Store,
    ranks: Store,
    transposing: Store,
    exploding: Store,
    fused: Store,
    given: dict[str, object],
    name: str,
) -> None:
    others = {
        "moving": moving,
        "ranks": ranks,
        "transposing": transposing,
        "exploding": exploding,
        "fused": fused,
        "allocating": allocating,
    }
    store = others.get(NOT_IN_THE_SAMPLE.get(name, ""), store)
    query = shipped_queries()[name]
    params = {one.name: given[one.name] for one in query.params if one.required}
    if name in OF_OTHER_SLICES:
        params["slice_id"] = given[OF_OTHER_SLICES[name]]
    index, record = both(store.path)
    answer = index.run(query, params)
    assert record.run(query, params) == answer
    # An answer without rows would say nothing about the two engines.
    assert answer.rows
