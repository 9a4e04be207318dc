"""The made-up run tells its story and its timeline obeys the vendor's rules."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_profile import REAL, TARGETED, Event, Sample, length, ns, span, targeted

from npuview.ingest.errors import UsageError
from npuview.ingest.sample import write_sample
from npuview.ingest.sample.collection import Collection
from npuview.ingest.sample.overlap import Interval, subtract, union


@pytest.fixture(scope="module", params=TARGETED)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sample:
    name: str = request.param
    return Sample(tmp_path_factory.mktemp(name), name)


def test_the_same_scenario_gives_the_same_bytes(sample: Sample, tmp_path: Path) -> None:
    again = write_sample(tmp_path, sample.name)
    files = sorted(path for path in sample.path.rglob("*") if path.is_file())
    assert len(files) == 15
    for file in files:
        assert file.read_bytes() == (again / file.relative_to(sample.path)).read_bytes()
    assert sum(file.stat().st_size for file in files) < 4_000_000


def test_an_unknown_scenario_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'slow'; there are: host_bound, pipelined"):
        write_sample(tmp_path, "slow")


def test_a_scenario_that_cannot_be_is_refused() -> None:
    work, target = targeted("pipelined")
    with pytest.raises(ValueError, match="no run comes out like this"):
        replace(work, target=target._replace(period=100_000_000)).simulate(Collection())


def test_the_directory_is_named_as_torch_npu_names_it(sample: Sample) -> None:
    worker, pid, stamp, *kind = sample.path.name.rsplit("_", 4)
    assert (worker, kind) == ("node-1", ["ascend", "pt"])
    assert sample.lanes[int(pid)] == "Python"
    assert len(stamp) == 17
    assert stamp.isdigit()


def test_rank_and_world_are_named(sample: Sample) -> None:
    info = json.loads((sample.path / "profiler_info_0.json").read_bytes())
    metadata = json.loads((sample.path / "profiler_metadata.json").read_bytes())
    assert info["rank_id"] == metadata["distributed_args"]["rank"] == 0
    assert metadata["distributed_args"]["world_size"] == 8
    group = next(iter(metadata["parallel_group_info"]))
    assert any(f"Group {group} " in str(event["args"].get("name")) for event in sample.phase("M"))


def test_instants_are_text_with_three_decimals(sample: Sample) -> None:
    timed = sample.phase("X", "C", "s", "f")
    assert len(timed) > 5_000
    for event in timed:
        whole, _, decimals = event["ts"].partition(".")
        assert (len(whole), len(decimals)) == (16, 3)
    assert all(isinstance(event["dur"], int | float) for event in sample.phase("X"))


def test_every_lane_is_described(sample: Sample) -> None:
    threads = {
        (event["pid"], event["tid"]) for event in sample.events if event["name"] == "thread_name"
    }
    for event in sample.phase("X"):
        assert (event["pid"], event["tid"]) in threads
    assert set(sample.lanes.values()) == {
        "Python",
        "CANN",
        "Ascend Hardware",
        "Communication",
        "Overlap Analysis",
        "AI Core Freq",
        "HBM",
        "NPU MEM",
    }


def test_host_slices_lie_inside_one_another_or_apart(sample: Sample) -> None:
    lanes: defaultdict[tuple[int, int], list[Interval]] = defaultdict(list)
    for event in (*sample.slices("Python"), *sample.slices("CANN")):
        lanes[event["pid"], event["tid"]].append(span(event))
    assert len(lanes) == 6
    for spans in lanes.values():
        open_: list[Interval] = []
        for start, end in sorted(spans, key=lambda pair: (pair[0], -pair[1])):
            while open_ and open_[-1][1] <= start:
                open_.pop()
            assert not open_ or end <= open_[-1][1]
            open_.append((start, end))


def test_every_arrow_has_both_ends_where_slices_stand(sample: Sample) -> None:
    ends: defaultdict[tuple[str, object], list[Event]] = defaultdict(list)
    for event in sample.phase("s", "f"):
        ends[event["cat"], event["id"]].append(event)
    starts = {(event["pid"], event["tid"], event["ts"]) for event in sample.phase("X")}
    spans: defaultdict[tuple[int, int], list[Interval]] = defaultdict(list)
    for event in sample.phase("X"):
        spans[event["pid"], event["tid"]].append(span(event))
    for start, finish in ends.values():
        assert (start["ph"], finish["ph"]) == ("s", "f")
        assert ns(start["ts"]) < ns(finish["ts"])
        assert (finish["pid"], finish["tid"], finish["ts"]) in starts
        at = ns(start["ts"])
        assert any(lo <= at <= hi for lo, hi in spans[start["pid"], start["tid"]])
    kinds = Counter(cat for cat, _ in ends)
    assert set(kinds) == {"HostToDevice", "async_npu", "async_task_queue", "fwdbwd"}
    assert kinds["HostToDevice"] == kinds["async_npu"]


def test_an_operator_arrow_is_numbered_by_the_start_of_its_task(sample: Sample) -> None:
    ends = [event for event in sample.phase("f") if event["cat"] == "async_npu"]
    assert all(event["id"] == ns(event["ts"]) for event in ends)


def test_a_task_is_launched_inside_the_call_of_its_connection(sample: Sample) -> None:
    calls: defaultdict[int, list[Interval]] = defaultdict(list)
    for call in sample.slices("CANN"):
        calls[call["args"]["connection_id"]].append(span(call))
    launched = {
        event["id"]: ns(event["ts"])
        for event in sample.phase("s")
        if event["cat"] == "HostToDevice"
    }
    tasks = [*sample.kernels(), *sample.copies(), *sample.collectives()]
    assert len(tasks) == len(launched)
    for task in tasks:
        connection = task["args"]["connection_id"]
        ((start, end),) = calls[connection]
        assert start <= launched[str(connection << 32)] <= end


def test_the_overlap_lane_follows_the_vendors_rule(sample: Sample) -> None:
    lane: defaultdict[str, list[Interval]] = defaultdict(list)
    for event in sample.slices("Overlap Analysis"):
        lane[event["name"]].append(span(event))
    tasks = [
        span(task)
        for task in sample.slices("Ascend Hardware")
        if not task["name"].startswith("PROFILING_")
    ]
    computing = [span(kernel) for kernel in sample.kernels()]
    communication = [span(whole) for whole in sample.collectives()]
    edges = sorted({edge for one in (*tasks, *computing, *communication) for edge in one})
    expected: Counter[str] = Counter()
    for lo, hi in pairwise(edges):
        computes = any(start <= lo and hi <= end for start, end in computing)
        communicates = any(start <= lo and hi <= end for start, end in communication)
        expected["Computing"] += (hi - lo) * computes
        expected["Communication"] += (hi - lo) * communicates
        expected["Communication(Not Overlapped)"] += (hi - lo) * (communicates and not computes)
        expected["Free"] += (hi - lo) * (not communicates and not computes)
    assert {name: length(spans) for name, spans in lane.items()} == dict(expected)
    for spans in lane.values():
        assert length(spans) == length(union(spans))


def test_steps_are_as_long_as_told(sample: Sample) -> None:
    """The period of a step: from the device end of the one before to its own device end."""
    ends = [
        max(span(task)[1] for task in sample.kernels() if lo <= ns(task["ts"]) < hi)
        for lo, hi in sample.device_ranges()
    ]
    periods = [end - before for before, end in pairwise(ends)]
    assert periods == [sample.target.period] * 3
    assert ends[0] - ns(sample.steps()[0]["ts"]) == sample.target.period


def test_the_largest_gaps_of_the_device_are_as_told(sample: Sample) -> None:
    busy = sample.busy()
    gaps = sorted(after - end for (_, end), (after, _) in pairwise(busy))
    assert gaps[-3:] == [sample.target.largest_gap] * 3
    long = sum(gap > 300_000 for gap in gaps) / 4
    assert 40 < long < 60 if sample.checks else 2 < long < 4


def test_long_gaps_begin_while_a_thread_waits_for_the_device(sample: Sample) -> None:
    waits = [
        span(call)
        for call in sample.slices("CANN")
        if call["args"]["id"] == "aclrtSynchronizeStreamWithTimeout"
    ]
    busy = sample.busy()
    for (_, end), (after, _) in pairwise(busy):
        if after - end > 300_000:
            assert any(start <= end < stop for start, stop in waits)
    assert (len(waits) > 4 * 50) == sample.checks


def test_there_is_one_copy_of_the_batch_in_each_step(sample: Sample) -> None:
    for copy, (lo, hi) in zip(sample.copies(), sample.device_ranges(), strict=True):
        assert lo <= ns(copy["ts"]) < hi
        assert copy["args"]["operation"] == "host to device"
        rate = copy["args"]["size(B)"] / ns(copy["dur"])
        assert rate == pytest.approx(copy["args"]["bandwidth(GB/s)"], abs=0.001)


def test_plane_tasks_lie_once_more_on_the_communication_stream(sample: Sample) -> None:
    planned = {
        (*span(task), task["args"]["task id"], task["args"]["context id"])
        for task in sample.slices("Communication")
        if task["tid"] != 0
    }
    seen = {
        (*span(task), task["args"]["Task Id"], task["args"]["Subtask Id"])
        for task in sample.slices("Ascend Hardware")
        if task["name"] in {"SDMA", "Notify Wait", "Write Value"}
    }
    assert planned == seen
    assert len(planned) == 12 * 74


def test_a_collective_ends_with_its_tasks_and_waits_longest_for_rank_5(sample: Sample) -> None:
    tasks = [task for task in sample.slices("Communication") if task["tid"] != 0]
    for whole in sample.collectives():
        start, end = span(whole)
        inside = [task for task in tasks if start <= ns(task["ts"]) < end]
        assert max(span(task)[1] for task in inside) == end
        waits = [task for task in inside if task["name"] == "Notify_Wait"]
        first = {task["args"]["dst rank"]: task for task in reversed(waits)}
        assert sorted(first) == list(range(1, 8))
        assert max(first, key=lambda peer: span(first[peer])[1]) == 5
        moves = [task for task in inside if task["args"]["link type"] == "HCCS"]
        assert min(ns(task["ts"]) for task in moves) > span(first[5])[1]
        assert {task["name"] for task in moves} == {"Reduce_Inline", "Memcpy"}


def test_the_compute_stream_waits_for_the_events_of_the_collectives(sample: Sample) -> None:
    tasks = sample.slices("Ascend Hardware")
    records = [span(task) for task in tasks if task["name"] == "EVENT_RECORD" and task["tid"] == 4]
    waits = [span(task) for task in tasks if task["name"] == "EVENT_WAIT" and task["tid"] == 2]
    assert len(records) == len(waits) == len(sample.collectives())
    for (_, recorded), (_, released) in zip(records, waits, strict=True):
        assert released >= recorded


def test_frames_are_numbered_and_know_their_parents(sample: Sample) -> None:
    frames = [event for event in sample.slices("Python") if event["cat"] == "python_function"]
    known = {event["args"]["Python id"]: event for event in frames}
    assert len(known) == len(frames)
    for frame in frames:
        if parent := frame["args"]["Python parent id"]:
            start, end = span(frame)
            lo, hi = span(known[parent])
            assert lo <= start
            assert end <= hi


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="the real profiles are not here")
def test_events_have_the_fields_of_a_real_profile(sample: Sample) -> None:
    """Every kind of event of ours has the fields and args that a real one has, in their order."""
    file = REAL / "level2" / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    older = {"HCCL": "Communication"}
    events: list[Event] = json.loads(file.read_bytes())
    lanes: dict[int, str] = {
        event["pid"]: older.get(str(event["args"]["name"]), str(event["args"]["name"]))
        for event in events
        if event["name"] == "process_name"
    }

    def shapes(events: list[Event], lanes: dict[int, str]) -> set[tuple[object, ...]]:
        found: set[tuple[object, ...]] = set()
        for event in events:
            if event["ph"] in {"X", "s", "f"} and lanes[event["pid"]] != "Overlap Analysis":
                args = () if "connection_id" not in event.get("args", {}) else tuple(event["args"])
                kind = event["ph"], event.get("cat"), lanes[event["pid"]]
                found.add((*kind, tuple(sorted(event)), tuple(sorted(set(args) - RECENT))))
        return found

    assert shapes(sample.events, sample.lanes) <= shapes(events, lanes)


RECENT = {"relay", "retry", "size(B)", "bandwidth(GB/s)", "operation"}
"""Args that profilers write since the real files were made."""


intervals = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted).map(tuple))


@given(intervals, intervals)
def test_unions_and_differences_cover_what_they_should(
    some: list[Interval], others: list[Interval]
) -> None:
    def points(spans: Iterable[Interval]) -> set[int]:
        return {point for start, end in spans for point in range(start, end)}

    joined, removed = union(some), union(others)
    rest = subtract(joined, removed)
    assert points(joined) == points(some)
    assert points(rest) == points(some) - points(others)
    for result in (joined, rest):
        assert length(result) == len(points(result))
        assert all(start < end for start, end in result)
        assert all(end <= after for (_, end), (after, _) in pairwise(result))
