"""From host to kernel and back, and finding slices by name."""

from pathlib import Path

import pytest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows_timeline import ChainRow, LaunchedRow, SearchHitsRow, SearchRow


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Python calls put a launch into the task queue; a CANN thread launches a kernel."""
    builder = StoreBuilder(tmp_path_factory.mktemp("links")).rank(0)
    for track, kind, thread in ((1, "python", "main"), (2, "cann", "queue"), (3, "stream", "S 2")):
        builder.add(
            "track",
            track_id=track,
            kind=kind,
            thread_name=thread,
            sort_order=track,
            process_name=kind,
        )
    slices = [
        # id, track, ts, dur, depth, parent, name
        (1, 1, 0, 100, 0, None, "ProfilerStep#5"),
        (2, 1, 10, 50, 1, 1, "aten::add"),
        (3, 1, 20, 5, 2, 2, "Enqueue"),
        # Stands where Enqueue ends, but is not around it.
        (4, 1, 25, 0, 2, 2, "mark"),
        (5, 2, 30, 20, 0, None, "Dequeue"),
        (6, 2, 32, 6, 1, 5, "Node@launch"),
        (7, 3, 40, 9, 0, None, "MatMul"),
        (8, 3, 60, 9, 0, None, "Add"),
        # As long as aten::add and nested in it.
        (9, 1, 10, 50, 2, 2, "aten::add_"),
    ]
    for slice_, track, ts, dur, depth, parent, name in slices:
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=track,
            ts=ts,
            dur=dur,
            depth=depth,
            sublane=0,
            parent_id=parent,
            name=name,
            class_="host",
            step=5,
        )
    builder.add(
        "launch_link",
        slice_id=7,
        host_slice_id=6,
        enqueue_slice_id=3,
        launch_ts=32,
        launch_end=38,
        method="flow",
        inferred=False,
    )
    builder.add(
        "launch_link",
        slice_id=8,
        host_slice_id=6,
        launch_ts=32,
        launch_end=38,
        method="connection",
        inferred=True,
    )
    builder.add(
        "flow",
        category="async_npu",
        name="torch_to_npu",
        src_slice_id=2,
        dst_slice_id=7,
        src_ts=10,
        dst_ts=40,
    )
    builder.add("flow", category="async_npu", name="torch_to_npu", dst_slice_id=7, dst_ts=40)
    builder.rank(1).add(
        "slice", slice_id=1, track_id=1, ts=7, dur=2, depth=0, sublane=0, name="MatMul_2"
    )
    return builder.build()


def test_a_kernel_leads_to_its_launch_its_enqueue_and_the_calls_around_them(
    store: Store,
) -> None:
    rows = ask(store, "chain", slice_id=7)
    assert [(row.role, row.distance, row.name, row.link) for row in rows] == [
        ("slice", 0, "MatMul", None),
        ("launch", 0, "Node@launch", "flow"),
        ("launch", 1, "Dequeue", "flow"),
        ("enqueue", 0, "Enqueue", "task queue"),
        ("enqueue", 1, "aten::add", "task queue"),
        ("enqueue", 2, "ProfilerStep#5", "task queue"),
        ("flow_from", 0, "aten::add", "async_npu"),
    ]
    assert rows[3] == ChainRow(
        "enqueue", 0, 3, 0, 1, "python", "main", 20, 5, "Enqueue", "host", "task queue", False
    )


def test_a_host_slice_leads_up_to_its_callers_and_along_its_arrows(store: Store) -> None:
    rows = ask(store, "chain", slice_id=2)
    assert [(row.role, row.distance, row.name) for row in rows] == [
        ("slice", 0, "aten::add"),
        ("slice", 1, "ProfilerStep#5"),
        ("flow_to", 0, "MatMul"),
    ]


def test_what_only_touches_a_call_in_time_is_not_around_it(store: Store) -> None:
    rows = ask(store, "chain", slice_id=4)
    assert [row.name for row in rows] == ["mark", "aten::add", "ProfilerStep#5"]


def test_a_slice_that_is_not_there_has_no_chain(store: Store) -> None:
    assert ask(store, "chain", slice_id=404) == []


def test_a_call_has_launched_what_the_calls_inside_it_launched(store: Store) -> None:
    assert ask(store, "launched", slice_id=2) == [
        LaunchedRow(7, 0, 3, 40, 9, "MatMul", "host", 6, 3, 32, "flow", False)
    ]
    assert [row.slice_id for row in ask(store, "launched", slice_id=5)] == [7, 8]
    assert [row.slice_id for row in ask(store, "launched", slice_id=5, limit=1)] == [7]


def test_a_call_inside_another_of_the_same_length_has_not_launched_what_that_did(
    store: Store,
) -> None:
    assert ask(store, "launched", slice_id=9) == []


def test_search_finds_any_part_of_a_name_in_any_case(store: Store) -> None:
    assert ask(store, "search", text="MATMUL") == [
        SearchRow("MatMul", 1, 9, 9, 7, 40),
        SearchRow("MatMul_2", 1, 2, 2, identifier(1, 1), 7),
    ]
    assert [row.name for row in ask(store, "search", text="aten", rank=0)] == [
        "aten::add", "aten::add_",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["%", "_", "'", '"', "\\", "日"])
def test_search_takes_every_character_as_it_is(text: str, tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("slice", slice_id=1, track_id=1, ts=0, dur=1, name=f"a{text}b")
    builder.add("slice", slice_id=2, track_id=1, ts=1, dur=1, name="ab")
    assert [row.name for row in ask(builder.build(), "search", text=text)] == [f"a{text}b"]


def test_the_most_frequent_name_comes_first_with_its_first_slice(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for slice_, ts, name in ((1, 5, "a x"), (2, 9, "b x"), (3, 1, "b x")):
        builder.add("slice", slice_id=slice_, track_id=1, ts=ts, dur=slice_, name=name)
    store = builder.build()
    assert ask(store, "search", text="X") == [
        SearchRow("b x", 2, 5, 3, 3, 1),
        SearchRow("a x", 1, 1, 1, 1, 5),
    ]
    assert [row.name for row in ask(store, "search", text="x", from_ts=8)] == ["b x"]


def test_hits_come_in_time_with_their_lanes(store: Store) -> None:
    rows = ask(store, "search_hits", text="add")
    assert [row.slice_id for row in rows] == [2, 9, 8]
    assert rows[2] == SearchHitsRow(8, 0, 3, "stream", "S 2", 5, 60, 9, "Add", "host")
    assert [row.slice_id for row in ask(store, "search_hits", text="add", limit=1)] == [2]
