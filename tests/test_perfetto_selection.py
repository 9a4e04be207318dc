from collections import Counter
from pathlib import Path

import pytest
from export_build import T0, Trace, names, opened, written
from store_build import identifier
from trace_processor import load

from npuview.ingest.errors import UsageError
from npuview.queries.perfetto import export
from npuview.queries.selection import Selection, StepScope, SubtreeScope, TimeScope


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return Trace(tmp_path)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.json"


def test_a_step_takes_its_period_and_its_host_range(trace: Trace, out: Path) -> None:
    trace.builder.add("step", step=7, ts=T0 + 100, dur=100, host_ts=T0 + 50, host_dur=60)
    trace.lane(1)
    trace.slice(1, 0, 50, name="ends where it begins")
    trace.slice(1, 40, 20, name="reaches into it")
    trace.slice(1, 50, 0, name="at its first instant")
    trace.slice(1, 199, 500, name="reaches out of it")
    trace.slice(1, 200, 5, name="begins where it ends")
    _, events = written(trace, out, Selection(StepScope(7)))
    assert names(events) == {"reaches into it", "at its first instant", "reaches out of it"}


def test_an_unknown_step_is_refused_with_the_steps_there_are(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 1)
    trace.builder.add("step", step=50, ts=T0, dur=1)
    with opened(trace) as session, pytest.raises(UsageError, match="no step 7 here; there are 50"):
        export(session, Selection(StepScope(7)), out)


def test_slices_that_reach_over_a_border_are_whole_unless_they_are_to_be_cut(
    trace: Trace, out: Path
) -> None:
    trace.lane(1)
    trace.slice(1, 0, 100, name="outer")
    trace.slice(1, 5, 10, name="first", depth=1)
    trace.slice(1, 90, 5, name="last", depth=1)
    report, events = written(trace, out, Selection(TimeScope(T0 + 10, T0 + 92)))
    assert report.offset_ns == T0
    assert {
        (event["name"], event["ts"], event["dur"]) for event in events if event["ph"] == "X"
    } == {
        ("outer", 0, 100),
        ("first", 5, 10),
        ("last", 90, 5),
    }
    report, events = written(
        trace, out.with_name("cut.json"), Selection(TimeScope(T0 + 10, T0 + 92), clip=True)
    )
    assert report.offset_ns == T0 + 10
    assert [
        (event["name"], event["ts"], event["dur"]) for event in events if event["ph"] == "X"
    ] == [
        ("outer", 0, 82),
        ("first", 0, 5),
        ("last", 80, 2),
    ]


def test_a_subtree_is_what_lies_in_the_slice_and_what_that_launched(
    trace: Trace, out: Path
) -> None:
    trace.lane(1, "Python").lane(2, "CANN").lane(3, "Ascend Hardware")
    op = trace.slice(1, 10, 50, name="op", depth=1)
    trace.slice(1, 0, 100, name="around it")
    trace.slice(1, 10, 50, name="same time, outside", depth=0)
    enqueue = trace.slice(1, 20, 5, name="Enqueue", depth=2)
    trace.slice(1, 60, 0, name="where it ends", depth=1)
    trace.slice(1, 30, 10, name="beside it, within", sublane=1)
    trace.slice(1, 55, 10, name="sticks out", sublane=1)
    launch = trace.slice(2, 25, 5, name="launch")
    kernel = trace.slice(3, 40, 9, name="kernel")
    other = trace.slice(3, 50, 9, name="other kernel")
    trace.builder.add(
        "launch_link", slice_id=kernel, host_slice_id=launch, enqueue_slice_id=enqueue
    )
    trace.builder.add("launch_link", slice_id=other, host_slice_id=launch)
    trace.flow(enqueue, kernel, category="async_npu", name="torch_to_npu")
    trace.flow(launch, kernel)
    report, events = written(trace, out, Selection(SubtreeScope(identifier(0, op))))
    assert names(events) == {"op", "Enqueue", "beside it, within", "kernel"}
    assert load(events).arrows == Counter({("Enqueue", "kernel"): 1})
    assert report.dropped_flow_ends == 1


def test_lanes_are_chosen_by_an_expression_on_their_full_name(trace: Trace, out: Path) -> None:
    trace.lane(1, "Python").lane(2, "Ascend Hardware", "Stream 4").lane(3, "CANN")
    for lane in (1, 2, 3):
        trace.slice(lane, 0, 5, name=f"on {lane}")
    _, events = written(trace, out, Selection(lanes=r"Hardware / Stream \d$|^CANN"))
    assert names(events) == {"on 2", "on 3"}


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(lanes="Stream"), "no lane matches 'Stream'; there are CANN / Thread 1"),
        (Selection(lanes="("), "not a regular expression"),
        (Selection(lanes="[[:alpha:]]"), "not a regular expression of Python"),
        (Selection(lanes="a{1000000000000000000000}"), "too big an expression"),
        (Selection(lanes="(" * 3000 + ")" * 3000), "too big an expression"),
        (Selection(StepScope(2**63)), "--step: a number beyond 64 bits"),
        (Selection(SubtreeScope(-(2**63) - 1)), "--slice: a number beyond 64 bits"),
        (Selection(TimeScope(from_ts=2**63)), "--from: a number beyond 64 bits"),
        (Selection(TimeScope(to_ts=10**400)), "--to: a number beyond 64 bits"),
        (Selection(TimeScope(from_ts=2**63 - 1)), f"the slices run from {T0} to {T0 + 5} ns"),
        (Selection(rank=9), "no rank 9 in this store; it has 0"),
        (Selection(StepScope(0)), "no step 0 here; there are no steps: try --from and --to"),
        (Selection(TimeScope(5, 5)), "empty"),
        (Selection(TimeScope(to_ts=T0)), f"the slices run from {T0} to {T0 + 5} ns"),
        (Selection(SubtreeScope(99)), "no slice 99 here"),
    ],
)
def test_a_selection_without_anything_in_it_says_what_there_is(
    trace: Trace, out: Path, selection: Selection, message: str
) -> None:
    trace.lane(1).slice(1, 0, 5)
    with opened(trace) as session, pytest.raises(UsageError) as error:
        export(session, selection, out)
    assert message in str(error.value)
    assert not out.exists()
