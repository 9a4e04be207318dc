"""Calls that wait for the device, by the idle time they leave; waits of gaps; layout operators."""

from pathlib import Path

import pytest
from build import KERNEL_DETAILS, TraceBuilder, torch_profile
from conftest import Ingest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows_moving import (
    BlockingCallsRow,
    GapWaitsRow,
    LaunchSyncLaunchRow,
    LayoutChainsRow,
    LayoutOperatorsRow,
)


def sync_store(tmp_path: Path) -> Store:
    """One step of 1000 ns: a long wait that leaves little, a short one that leaves much."""
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("track", track_id=5, kind="cann", thread_name="Thread 1")
    builder.add("step", step=1, kind="train", source="x", inferred=False, ts=0, dur=1000)
    calls = [
        # slice, ts, dur, name, step, launches, after, excluded
        (1, 10, 600, "AscendCL@aclrtSynchronizeStream", 1, 6, 1, None),
        (2, 650, 10, "AscendCL@aclrtSynchronizeStream", 1, 1, 0, None),
        (3, 661, 5, "AscendCL@aclrtMemcpy", 1, 0, 3, None),
        (4, 1200, 90, "AscendCL@aclrtSynchronizeDevice", None, 3, 2, "after the last step"),
    ]
    for slice_, ts, dur, name, step, launches, after, excluded in calls:
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=5,
            ts=ts,
            dur=dur,
            name=name,
            class_="host",
            step=step,
        )
        builder.add(
            "host_sync", slice_id=slice_, moves="Memcpy" in name, launches=launches,
            launches_after=after, excluded=excluded,
        )  # fmt: skip
    # The inner call of the second wait.
    builder.add(
        "slice", slice_id=6, track_id=5, ts=651, dur=8, name="Runtime@StreamSynchronize",
        class_="host", parent_id=2, step=1,
    )  # fmt: skip
    builder.add("slice", slice_id=7, track_id=5, ts=640, dur=60, name="main.py(3): f")
    stalls = [
        (1, 610, 20, "host_sync", 1, None),
        (2, 660, 200, "host_sync", 2, identifier(0, 7)),
        (3, 870, 50, "host_sync", 6, None),
        (4, 930, 40, "dataloader", 2, None),
    ]
    for stall, ts, dur, cause, evidence, line in stalls:
        builder.add(
            "stall", stall_id=stall, step=1, state="idle", ts=ts, dur=dur, cause=cause,
            evidence_slice_id=evidence, line_slice_id=line,
        )  # fmt: skip
    return builder.build()


def test_calls_rank_by_the_idle_time_they_leave_and_not_by_their_own_length(
    tmp_path: Path,
) -> None:
    rows = ask(sync_store(tmp_path), "blocking_calls")
    assert rows[0] == BlockingCallsRow(
        0, 1, 2, 5, "Thread 1", "AscendCL@aclrtSynchronizeStream", 650, 10, 250, 2, 0.25, 1, False,
        7, "main.py(3): f", None,
    )  # fmt: skip
    assert [(row.slice_id, row.dur, row.idle_ns, row.excluded) for row in rows[1:]] == [
        (1, 600, 20, None),
        (3, 5, 0, None),
        (4, 90, None, "after the last step"),
    ]


def test_launches_that_are_waited_for_at_once_are_a_share_of_all(tmp_path: Path) -> None:
    store = sync_store(tmp_path)
    assert ask(store, "launch_sync_launch") == [
        LaunchSyncLaunchRow(0, 1, 5, "Thread 1", 7, 3, 2, 2 / 7, 615, 1),
        LaunchSyncLaunchRow(0, None, 5, "Thread 1", 5, 1, 1, 0.2, 90, 4),
    ]
    assert [row.launches for row in ask(store, "launch_sync_launch", step=1)] == [7]


def test_idle_time_that_an_event_wait_holds_leads_to_the_root_of_the_wait(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("track", track_id=1, kind="stream", device_id=0, stream_id=2)
    for slice_, ts, dur, name in (
        (1, 0, 90, "EVENT_WAIT"), (2, 70, 10, "SDMA"), (3, 0, 85, "hcom_allReduce_"),
        (4, 95, 5, "Add"),
    ):  # fmt: skip
        builder.add("slice", slice_id=slice_, track_id=1, ts=ts, dur=dur, name=name)
    builder.add(
        "event_wait", slice_id=1, device_id=0, kind="event", producer_slice_id=2, root_slice_id=3,
        depth=1,
    )  # fmt: skip
    builder.add(
        "collective",
        collective_id=6,
        slice_id=3,
        name="hcom_allReduce_",
        last_peer=5,
        last_number=1,
    )
    held = {"device_id": 0, "step": 1, "state": "waiting_event", "evidence_slice_id": 1}
    builder.add(
        "stall", stall_id=1, ts=86, dur=4, cause="wait_event", gap_id=3, next_slice_id=4, **held
    )
    builder.add("stall", stall_id=2, ts=92, dur=9, cause="host_framework", **held)
    assert ask(builder.build(), "gap_waits") == [
        GapWaitsRow(
            1, 0, 0, 1, 3, 86, 4, 1, "EVENT_WAIT", 90, None, 2, "SDMA", 1, 3, "hcom_allReduce_",
            6, 5, 1, 4, "Add",
        )
    ]  # fmt: skip


def test_layout_operators_tell_their_bytes_and_chains_of_them_the_tensor(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.step(1, 0, 100_000)
    rows: list[dict[str, object]] = []

    def kernel(name: str, ts: int, dur: int, shapes: tuple[str, str], types: str = "FLOAT") -> None:
        profile.trace.kernel(f"aclnn_{name}", ts, dur)
        rows.append(
            {
                "Step Id": 1, "Device_id": 0, "Stream ID": 2, "Name": f"aclnn_{name}",
                "Type": name, "Accelerator Core": "AI_VECTOR_CORE",
                "Start Time(us)": f"{ts / 1000:.3f}", "Duration(us)": f"{dur / 1000:.3f}",
                "Input Shapes": f'"{shapes[0]}"', "Input Data Types": types,
                "Output Shapes": f'"{shapes[1]}"', "Output Data Types": types,
            }
        )  # fmt: skip

    kernel("TransData", 1_000, 500, ("2,8,8", "2,1,8,8"))
    kernel("Transpose", 2_000, 300, ("2,1,8,8", "8,8,2"))
    kernel("MatMul", 3_000, 9_200, ("8,8", "8,8"))
    kernel("Cast", 20_000, 100, ("4", "4"), "TYPE_OF_TOMORROW")
    kernel("Transpose", 21_000, 200, ("16", "16"), "DT_BF16")
    kernel("MatMul", 22_000, 400, ("8,8", "8,8"))
    kernel("TensorMove", 23_000, 10, (",".join(["999999999999999999"] * 4), "4"))
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    store = ingest(profile.write()).store
    operators = {row.type: row for row in ask(store, "layout_operators")}
    assert operators["TransData"] == LayoutOperatorsRow(
        0, 1, "TransData", "AI_VECTOR_CORE", 1, 500, 500, operators["TransData"].longest_kernel_id,
        500 / 10_710, 500 / 100_000, 2 * 128 * 4, 1, 1024 * 1e9 / 500,
    )  # fmt: skip
    assert (operators["Transpose"].total, operators["Transpose"].bytes) == (500, 1024 + 64)
    assert operators["TensorMove"].bytes is None
    assert (operators["Cast"].bytes, operators["Cast"].sized) == (None, 0)
    chains: list[LayoutChainsRow] = ask(store, "layout_chains")
    assert [(row.types, row.total, row.tensor_bytes, row.bytes, row.linked) for row in chains] == [
        ("TransData > Transpose", 800, 512, 2048, True),
        ("Cast > Transpose", 300, None, None, False),
    ]
    assert ask(store, "layout_chains", least=3) == []


def test_a_task_between_two_layout_operators_ends_the_chain(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 100_000)
    trace.kernel("aclnnX_TransData", 1_000, 500)
    trace.kernel("aclnnX_MatMul", 2_000, 500)
    trace.kernel("trans_TransData_12", 3_000, 500)
    store = ingest(trace.write(tmp_path / "trace_view.json")).store
    assert ask(store, "layout_chains") == []
    [row] = ask(store, "layout_operators")
    assert (row.type, row.count_, row.bytes) == ("TransData", 2, None)


@pytest.mark.parametrize(("rank", "left"), [(0, 1_502_289), (1, 1_542_585)])
def test_the_longest_wait_of_a_real_step_leaves_what_follows_its_last_task(
    rank: int, left: int, shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1").store
    calls: list[BlockingCallsRow] = ask(store, "blocking_calls", rank=rank)
    longest = max(calls, key=lambda row: row.dur)
    assert longest.idle_ns == left
    assert longest.dur > 85_000_000
    assert [row.name for row in calls if row.excluded] == ["AscendCL@aclrtSynchronizeDevice"]
    operators: list[LayoutOperatorsRow] = ask(store, "layout_operators", rank=rank)
    assert {row.type for row in operators} == {"TransData", "TensorMove", "Transpose", "Cast"}
    if rank == 0:
        assert sum(row.total for row in operators) == 2_121_736
