"""A small store with kernels, what launched them, and a collective, for questions and views.

Step 1 is 10 ms from 1 ms on. Eight MatMul calls of 100 us, the last one of 900 us; one
AI CPU kernel without a slice; one collective that mostly waits for peer 3.
"""

from pathlib import Path

from store_build import StoreBuilder, Value, identifier

from npuview.ingest.store import Store

US = 1_000
MS = 1_000_000
ORIGIN = MS

HOST, STREAM, GROUP, PLANE = 1, 2, 3, 4
MODULE_SLICE, CALL_SLICE, INNER_SLICE = 1, 2, 3
FIRST_MATMUL = 10
MATMULS = 8
COLLECTIVE_SLICE, PLANE_SLICE = 30, 31
LONG_NAME = "很长的算子" * 40 + "end"


def builder(path: Path, **profile: Value) -> StoreBuilder:
    """Return the builder of the store, for a test that adds to it or to its profile."""
    built = StoreBuilder(path).rank(0)
    built.add(
        "profile",
        rank_known=True,
        producer="torch_npu",
        versions="{}",
        level="Level1",
        switches="{}",
        name="made_up",
        path="made_up",
        clock="epoch",
        clock_offset=0,
        ts=0,
        dur=20 * MS,
        **profile,
    )
    built.add(
        "step",
        step=1,
        source="profiler_step",
        kind="train",
        inferred=False,
        ts=ORIGIN,
        dur=10 * MS,
    )
    for track, kind, thread in (
        (HOST, "python", "Thread 7"),
        (STREAM, "stream", "Stream 2"),
        (GROUP, "group", "Group 0"),
        (PLANE, "plane", "Plane 0"),
    ):
        built.add(
            "track",
            track_id=track,
            device_id=None if kind == "python" else 0,
            kind=kind,
            thread_name=thread,
            sort_order=track,
            group="0" if kind in {"group", "plane"} else None,
        )
    _host(built)
    for number in range(MATMULS):
        _matmul(built, number)
    built.add("slice_arg", arg_set_id=1, args='{"Task Id": 9007199254740993, "own": {"x": [1]}}')
    _others(built)
    return built


def kernel_store(path: Path) -> Store:
    """Write the store and open it."""
    return builder(path).build()


def slice_id(number: int) -> int:
    """Return the identifier of a slice of the first rank."""
    return identifier(0, number)


def add_slice(
    built: StoreBuilder, number: int, track: int, ts: int, dur: int, **more: Value
) -> None:
    """Add a slice of step 1; times are from the start of the step."""
    values: dict[str, Value] = {
        "depth": 0,
        "sublane": 0,
        "phase": "X",
        "unfinished": False,
        "step": 1,
    }
    values |= more
    built.add("slice", slice_id=number, track_id=track, ts=ORIGIN + ts, dur=dur, **values)


def _host(built: StoreBuilder) -> None:
    names = ("nn.Module: Linear_0", "aten::linear", "Enqueue")
    for depth, (number, name) in enumerate(
        zip((MODULE_SLICE, CALL_SLICE, INNER_SLICE), names, strict=True)
    ):
        add_slice(
            built,
            number,
            HOST,
            depth * US,
            (100 - 10 * depth) * US,
            name=name,
            class_="host",
            depth=depth,
            parent_id=number - 1 or None,
        )


def _matmul(built: StoreBuilder, number: int) -> None:
    dur = 900 * US if number == MATMULS - 1 else 100 * US
    ts = 500 * US + number * 200 * US
    number_of_slice = FIRST_MATMUL + number
    add_slice(
        built,
        number_of_slice,
        STREAM,
        ts,
        dur,
        name="aclnnMm_MatMulV2",
        class_="compute",
        task_type="AI_CORE",
        stream_id=2,
        task_id=number,
        arg_set_id=1 if number == 0 else None,
    )
    built.add(
        "kernel",
        kernel_id=number,
        slice_id=number_of_slice,
        device_id=0,
        step=1,
        name="aclnnMm_MatMulV2",
        type="MatMulV2",
        core="AI_CORE",
        ts=ORIGIN + ts,
        dur=dur,
        wait=number * US,
        block_num=16,
        stream_id=2,
        task_id=number,
        op_state="dynamic",
        input_shapes="32,9216;4096,9216;",
        input_dtypes="FLOAT;FLOAT;DT_BF16",
        input_formats="FORMAT_ND;FORMAT_ND;FORMAT_ND",
        output_shapes="32,4096",
        output_dtypes="FLOAT",
        output_formats="FORMAT_ND",
        aicore_time=dur,
        aiv_time=0,
        aic_mac_ratio=0.15,
        aic_mte1_ratio=0.2,
        aic_mte2_ratio=0.983,
        aic_fixpipe_ratio=0.0,
        aic_scalar_ratio=0.3,
        cube_utilization=0.5,
    )
    built.add("kernel_metric", kernel_id=number, metric="aic_total_cycles", value=9.83e6)
    built.add(
        "launch_link",
        slice_id=number_of_slice,
        host_slice_id=INNER_SLICE,
        launch_ts=ORIGIN + 2 * US,
        launch_end=ORIGIN + 3 * US,
        method="flow",
        inferred=number == 1,
    )


def _others(built: StoreBuilder) -> None:
    built.add(
        "kernel",
        kernel_id=20,
        device_id=0,
        step=1,
        name=LONG_NAME,
        type="Unique",
        core="AI_CPU",
        ts=ORIGIN + 4 * MS,
        dur=50 * US,
    )
    name = "hcom_allReduce__1_0"
    add_slice(built, COLLECTIVE_SLICE, GROUP, 5 * MS, 2 * MS, name=name, class_="communication")
    add_slice(built, PLANE_SLICE, PLANE, 5 * MS, MS, name="Notify_Wait", class_="wait")
    built.add(
        "kernel",
        kernel_id=30,
        slice_id=COLLECTIVE_SLICE,
        device_id=0,
        step=1,
        name=name,
        type="hcom_allReduce_",
        core="HCCL",
        ts=ORIGIN + 5 * MS,
        dur=2 * MS,
    )
    built.add(
        "collective",
        collective_id=1,
        device_id=0,
        slice_id=COLLECTIVE_SLICE,
        step=1,
        name=name,
        group="0",
        bytes=16_000_000,
        ts=ORIGIN + 5 * MS,
        dur=2 * MS,
        transfer_ns=500 * US,
        wait_ns=1_500 * US,
        last_number=3,
    )
    for peer, waited in ((3, 1_400 * US), (2, 10 * US)):
        built.add(
            "peer_arrival", collective_id=1, number=peer, wait_ns=waited, source="notify_wait"
        )
    totals = (
        ("aclnnMm_MatMulV2", "MatMulV2", "AI_CORE", MATMULS, 1_600 * US, 100 * US, 900 * US),
        (LONG_NAME, "Unique", "AI_CPU", 1, 50 * US, 50 * US, 50 * US),
        (name, "hcom_allReduce_", "HCCL", 1, 2 * MS, 2 * MS, 2 * MS),
    )
    for operator, type_, core, count, total, least, most in totals:
        built.add(
            "operator_total",
            step=1,
            name=operator,
            type=type_,
            core=core,
            count=count,
            total=total,
            min=least,
            max=most,
        )
