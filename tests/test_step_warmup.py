"""Which steps are warm-up: leading ones with proof, and no others."""

from collections.abc import Callable
from pathlib import Path

import pytest
from build import STEP_TRACE_TIME, TraceBuilder, torch_profile
from conftest import Ingest

MS = 1_000_000
COMPILE = "AscendCL@opCompile"

Warmups = Callable[[TraceBuilder], list[bool | None]]


@pytest.fixture
def warmups(tmp_path: Path, ingest: Ingest) -> Warmups:
    def asked(trace: TraceBuilder) -> list[bool | None]:
        store = ingest(trace.write(tmp_path / "trace_view.json"))
        return [warmup for (warmup,) in store.rows("SELECT warmup FROM step ORDER BY step")]

    return asked


def stepped(count: int = 3) -> TraceBuilder:
    trace = TraceBuilder()
    for number in range(count):
        trace.step(number, number * 100 * MS, 100 * MS)
    return trace


def called(trace: TraceBuilder, step: int, name: str, dur: int, *, at: int = 0) -> None:
    trace.cann_thread().slice(name, step * 100 * MS + at, dur)


def test_leading_steps_in_which_something_is_compiled_are_warm_up(warmups: Warmups) -> None:
    trace = stepped(4)
    called(trace, 0, COMPILE, 5 * MS)
    called(trace, 1, COMPILE, 2 * MS)
    # Many calls that find what they look for compile nothing.
    for at in range(0, 90 * MS, 2 * MS):
        called(trace, 2, COMPILE, MS, at=at)
    # Not a leading one: something else is the matter with it.
    called(trace, 3, COMPILE, 50 * MS)
    assert warmups(trace) == [True, True, False, False]


def test_the_capture_of_a_graph_is_warm_up(warmups: Warmups) -> None:
    trace = stepped(2)
    called(trace, 0, "AscendCL@aclmdlRICaptureBegin", 10)
    assert warmups(trace) == [True, False]


def test_what_proves_a_warm_up_is_told(tmp_path: Path, ingest: Ingest) -> None:
    trace = stepped(4)
    called(trace, 0, COMPILE, 5 * MS)
    called(trace, 0, "AscendCL@aclmdlRICaptureBegin", 10)
    called(trace, 1, "AscendCL@aclmdlRICaptureBegin", 10)
    # Not a leading step: it is no warm-up, and nothing proves that it were.
    called(trace, 3, COMPILE, 5 * MS)
    store = ingest(trace.write(tmp_path / "trace_view.json"))
    assert store.rows("SELECT warmup, warmup_by FROM step ORDER BY step") == [
        (True, "compile, capture"),
        (True, "capture"),
        (False, None),
        (False, None),
    ]


def test_the_older_way_to_launch_compiles_nothing(warmups: Warmups) -> None:
    trace = stepped(2)
    called(trace, 0, "AscendCL@aclopCompileAndExecute", 20 * MS)
    called(trace, 0, COMPILE, MS // 4, at=MS)
    assert warmups(trace) == [False, False]


def used(trace: TraceBuilder, step: int, *durs: int, times: int = 2) -> None:
    """Call an operator for each length in a step, several times, one after the other."""
    for place, dur in enumerate(durs):
        for time in range(times):
            at = (place * times + time) * 2 * MS
            called(trace, step, f"AscendCL@aclnnOp{place}", dur if time == 0 else MS // 100, at=at)


def test_first_uses_of_operators_are_warm_up(warmups: Warmups) -> None:
    trace = stepped(4)
    # Four operators are loaded in the first step; a shape of all is new in the last.
    used(trace, 0, MS, MS, MS, MS // 90)
    for step in (1, 2):
        used(trace, step, *[MS // 50] * 4)
    used(trace, 3, *[MS // 2] * 4)
    assert warmups(trace) == [True, False, False, False]


def test_the_first_calls_of_a_profile_of_one_step_are_no_first_uses(warmups: Warmups) -> None:
    trace = stepped(1)
    used(trace, 0, MS, MS, MS, MS, times=9)
    assert warmups(trace) == [False]


def test_operators_that_only_the_second_step_uses_first_are_its_warm_up(warmups: Warmups) -> None:
    trace = stepped(4)
    called(trace, 0, COMPILE, 5 * MS)
    used(trace, 1, MS, MS, MS)
    for step in (2, 3):
        used(trace, step, *[MS // 50] * 3)
    assert warmups(trace) == [True, True, False, False]


@pytest.mark.parametrize(
    "durs",
    [
        # All calls are the first ones recorded, and take what they always take.
        [MS // 50] * 40,
        # Two are no habit of a step, whatever they took.
        [20 * MS, 20 * MS],
        # Longest of all, by what a call of the host may always differ.
        [MS // 50 + 1] * 40,
        # Most are as long as ever.
        [MS] * 3 + [MS // 100] * 5,
    ],
)
def test_first_calls_that_cost_nothing_are_no_warm_up(warmups: Warmups, durs: list[int]) -> None:
    trace = stepped(4)
    used(trace, 0, *durs)
    for step in (1, 2, 3):
        used(trace, step, *[MS // 50] * len(durs))
    assert warmups(trace) == [False] * 4


def test_what_waits_or_reserves_memory_in_a_long_first_step_is_no_first_use(
    warmups: Warmups,
) -> None:
    trace = TraceBuilder()
    trace.step(0, 0, 900 * MS)
    for number in range(1, 5):
        trace.step(number, 900 * MS + number * 100 * MS, 100 * MS)
    for place, name in enumerate(
        ("AscendCL@aclrtMalloc", "AscendCL@aclrtSynchronizeStream", "Dequeue@HcclAllreduce")
    ):
        trace.cann_thread().slice(name, place * 100 * MS, 90 * MS)
        for step in range(1, 5):
            trace.cann_thread().slice(name, 900 * MS + step * 100 * MS + place * MS, MS // 100)
    assert warmups(trace) == [False] * 5


def test_a_long_first_step_is_not_warm_up_for_being_long(warmups: Warmups) -> None:
    trace = TraceBuilder()
    trace.step(0, 0, 900 * MS)
    trace.step(1, 900 * MS, 100 * MS)
    assert warmups(trace) == [False, False]


def test_a_run_without_steps_has_no_warm_up(warmups: Warmups) -> None:
    trace = TraceBuilder()
    called(trace, 0, COMPILE, 5 * MS)
    assert warmups(trace) == [False]


@pytest.mark.parametrize(
    ("schedule", "steps", "expected"),
    [
        ({"warmup": 0}, 2, [True, False]),
        ({"warmup": 1}, 2, [False, False]),
        (None, 2, [False, False]),
        # Of one step nothing would be left.
        ({"warmup": 0}, 1, [False]),
        ("torn", 2, [False, False]),
    ],
)
def test_the_first_step_is_warm_up_where_the_schedule_had_none(
    tmp_path: Path, ingest: Ingest, schedule: object, steps: int, expected: list[bool]
) -> None:
    profile = torch_profile(tmp_path, switches={"schedule": schedule})
    for number in range(steps):
        profile.trace.step(number, number * 100 * MS, 100 * MS)
    store = ingest(profile.write())
    assert [one for (one,) in store.rows("SELECT warmup FROM step ORDER BY step")] == expected


def test_without_times_nobody_can_tell(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.step(1, 0, 100)
    rows = [["0", step, *["1"] * 9] for step in ("1", "2")]
    profile.csv("step_trace_time", STEP_TRACE_TIME, rows)
    store = ingest(profile.write())
    assert store.rows("SELECT step, warmup FROM step ORDER BY step") == [(1, False), (2, None)]
