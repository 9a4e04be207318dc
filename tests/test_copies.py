"""Copies of a device: which way, how much, who waited for them; calls that wait for a device."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from build import TraceBuilder
from conftest import Ingest, Ingested

US = 1000
SIZED = {"data size(Byte)": 4096, "memcpy direction": "device to host"}
Built = Callable[[TraceBuilder], Ingested]


@pytest.fixture
def built(tmp_path: Path, ingest: Ingest) -> Built:
    return lambda trace: ingest(trace.write(tmp_path / "trace_view.json"))


def stepped() -> TraceBuilder:
    trace = TraceBuilder()
    trace.step(1, 0, 1000 * US)
    trace.kernel("MatMul", 10 * US, 5 * US)
    return trace


def copied(
    trace: TraceBuilder,
    ts: int,
    *,
    connection_id: int = 9,
    task_type: str = "PCIE_DMA_SQE",
    args: Mapping[str, object] | None = None,
) -> None:
    """Add a copy of 20 us."""
    trace.task(
        "MEMCPY_ASYNC",
        ts,
        20 * US,
        task_type=task_type,
        connection_id=connection_id,
        args=args,
    )


def queued_copy(trace: TraceBuilder, dims: str, type_: str) -> None:
    """Put a copy to the device into the task queue at 50 us and launch it from 70 to 80 us."""
    operator = {"Input Dims": f"{dims};\r\n{dims};\r\n", "Input type": f"{type_};\r\n{type_};\r\n"}
    main, consumer = trace.host_thread(), trace.host_thread(77)
    main.slice("aten::copy_", 40 * US, 400 * US, args=operator)
    main.slice("acl_memcpy_host_to_device", 45 * US, 20 * US)
    enqueue = main.slice("Enqueue", 50 * US, 5 * US)
    dequeue = consumer.slice("Dequeue@acl_memcpy_host_to_device", 65 * US, 20 * US)
    trace.flow("async_task_queue", enqueue, dequeue, id="1")
    trace.launch(9, 70 * US, 10 * US, name="AscendCL@aclrtMemcpyAsync", tid=77)


def test_the_file_says_how_much_a_copy_moved_and_which_way(built: Built) -> None:
    trace = stepped()
    copied(trace, 100 * US, args=SIZED)
    assert built(trace).rows("SELECT direction, bytes, exposed_ns, inferred FROM copy") == [
        ("D2H", 4096, 20 * US, False)
    ]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"size(B)": 256, "operation": "host to device"}, ("H2D", 256)),
        ({"bytes": 512, "kind": "DtoD"}, ("D2D", 512)),
        ({"bytes": "many", "kind": "PtoP"}, ("P2P", None)),
        ({"Task": 7}, (None, None)),
    ],
)
def test_writers_spell_sizes_and_directions_differently(
    args: Mapping[str, object], told: tuple[str | None, int | None], built: Built
) -> None:
    trace = stepped()
    copied(trace, 100 * US, args=args)
    assert built(trace).rows("SELECT direction, bytes FROM copy") == [told]


def test_a_copy_on_the_chip_goes_from_device_to_device(built: Built) -> None:
    trace = stepped()
    copied(trace, 100 * US, task_type="SDMA_SQE")
    assert built(trace).rows("SELECT direction, bytes, inferred FROM copy") == [("D2D", None, True)]


@pytest.mark.parametrize(
    ("dims", "type_", "size"),
    [
        ("32,3,224,224", "float", 19_267_584),
        ("32", "long int", 256),
        ("32", "a type of tomorrow", None),
        ("", "float", None),
        (",".join(["999999999999999999"] * 4), "float", None),
    ],
)
def test_where_the_file_is_silent_the_operator_tells_the_size(
    dims: str, type_: str, size: int | None, built: Built
) -> None:
    trace = stepped()
    queued_copy(trace, dims, type_)
    copied(trace, 300 * US)
    [(direction, known, inferred)] = built(trace).rows(
        "SELECT direction, bytes, inferred FROM copy"
    )
    assert (direction, known, inferred) == ("H2D", size, True)


def test_a_copy_that_its_thread_waits_for_blocks_and_tells_its_staging(built: Built) -> None:
    trace = stepped()
    queued_copy(trace, "32", "float")
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeStreamWithTimeout", 60 * US, 270 * US)
    copied(trace, 300 * US)
    store = built(trace)
    assert store.rows("SELECT blocking, staging_ns FROM copy") == [(True, 220 * US)]
    assert store.one("SELECT name FROM slice JOIN copy ON slice.slice_id = sync_slice_id") == (
        "AscendCL@aclrtSynchronizeStreamWithTimeout"
    )


def test_time_in_which_the_stream_still_worked_is_no_staging(built: Built) -> None:
    trace = stepped()
    queued_copy(trace, "32", "float")
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeStream", 60 * US, 270 * US)
    trace.kernel("Long", 20 * US, 260 * US)
    copied(trace, 300 * US)
    assert built(trace).one("SELECT staging_ns FROM copy") == 20 * US


def test_a_copy_after_which_its_thread_launches_more_does_not_block(built: Built) -> None:
    trace = stepped()
    queued_copy(trace, "32", "float")
    after = trace.kernel("After", 400 * US, 5 * US, connection_id=11)
    trace.launch(after, 90 * US, 5 * US)
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeStream", 100 * US, 270 * US)
    copied(trace, 300 * US)
    assert built(trace).rows("SELECT blocking, staging_ns FROM copy") == [(False, None)]


def test_a_call_that_copies_and_returns_when_done_blocks_by_itself(built: Built) -> None:
    trace = stepped()
    copied(trace, 300 * US, args=SIZED)
    trace.launch(9, 280 * US, 60 * US, name="AscendCL@aclrtMemcpy")
    store = built(trace)
    assert store.rows("SELECT blocking, staging_ns FROM copy") == [(True, None)]
    assert store.rows("SELECT moves, launches FROM host_sync") == [(True, 0)]


def test_whether_a_copy_without_a_launch_blocked_is_not_known(built: Built) -> None:
    trace = stepped()
    copied(trace, 300 * US, connection_id=0)
    assert built(trace).rows("SELECT blocking, call_slice_id FROM copy") == [(None, None)]


def test_the_streams_of_collectives_do_not_copy(built: Built) -> None:
    trace = stepped()
    trace.collective(100 * US, 500 * US, moves=[(1, 400 * US, 20 * US)], stream=4)
    trace.task("SDMA", 700 * US, 10, stream=4, task_type="SDMA")
    assert built(trace).rows("FROM copy") == []


def test_a_wait_for_the_device_knows_what_its_thread_launched_before(built: Built) -> None:
    trace = stepped()
    for number in range(3):
        kernel = trace.kernel("Add", (100 + 20 * number) * US, 5 * US, connection_id=20 + number)
        trace.launch(kernel, (50 + number) * US, 500)
    # Another thread's launch, between, and the inner call of the same wait.
    kernel = trace.kernel("Mul", 200 * US, 5 * US, connection_id=30)
    trace.launch(kernel, 55 * US, 500, tid=77)
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeStream", 60 * US, 100 * US)
    trace.cann_thread().slice("Runtime@StreamSynchronize", 61 * US, 90 * US)
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeStream", 170 * US, 10 * US)
    store = built(trace)
    assert store.rows(
        "SELECT s.ts, h.launches, l.ts FROM host_sync AS h JOIN slice AS s USING (slice_id)"
        " LEFT JOIN slice AS l ON l.slice_id = h.launch_slice_id ORDER BY s.ts"
    ) == [(60 * US, 3, 52 * US), (170 * US, 0, None)]


def test_what_no_step_pays_for_says_why(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(1, 100 * US, 800 * US)
    trace.kernel("MatMul", 110 * US, 5 * US)
    trace.host_thread().slice("torch_npu/profiler/profiler.py(101): step", 500 * US, 50 * US)
    trace.host_thread().slice("torch_npu/profiler/inner.py(1): flush", 501 * US, 2 * US)
    for ts in (10, 300, 510, 950):
        trace.cann_thread().slice("AscendCL@aclrtSynchronizeDevice", ts * US, 20 * US)
    assert built(trace).rows(
        "SELECT excluded FROM host_sync JOIN slice USING (slice_id) ORDER BY ts"
    ) == [("before the first step",), (None,), ("profiler",), ("after the last step",)]


def test_copies_of_a_real_step_show_how_long_a_batch_was_staged(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1")
    batch = (
        "SELECT direction, bytes, c.exposed_ns, blocking, staging_ns FROM copy AS c"
        " JOIN slice USING (slice_id) ORDER BY dur DESC LIMIT 1"
    )
    assert store.one(batch) == ("H2D", 19_267_584, 840_077, True, 5_232_141)
    assert store.one(batch, rank=1) == ("H2D", 19_267_584, 1_272_505, True, 5_866_464)
    # No copy runs beside another: together they are what the ledger calls copying.
    for rank, copying in ((0, 878_857), (1, 1_310_125)):
        assert store.one("SELECT sum(exposed_ns)::BIGINT FROM copy", rank) == copying
    # What Level2 writes for every copy is what the shapes of Level1 give.
    level2 = real(shared_data / "torch_npu" / "level2")
    sizes = (
        "SELECT direction, bytes FROM copy JOIN slice USING (slice_id)"
        " JOIN slice AS o ON o.slice_id = operator_slice_id"
        " WHERE o.name = 'aten::copy_' ORDER BY slice.ts"
    )
    assert store.rows(sizes) == level2.rows(sizes)
    assert store.one("SELECT count(*) FROM copy WHERE bytes IS NULL") == 12
