import gzip
import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from export_build import T0, WHOLE, Trace, lanes, names, opened, written
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_processor import ask_perfetto, load, needs_perfetto

from npuview.ingest.errors import NpuviewError, UsageError
from npuview.queries import perfetto
from npuview.queries.perfetto import export
from npuview.queries.selection import (
    Selection,
    TimeScope,
)
from npuview.queries.session import Session


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return Trace(tmp_path)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.json"


def test_an_export_is_one_closed_json_object_with_exact_times(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 1_234_567, 7)
    trace.slice(1, 89, 1_000_000)
    report, _ = written(trace, out)
    text = out.read_text()
    file = json.loads(text)
    assert list(file) == ["traceEvents", "displayTimeUnit", "metadata"]
    assert file["displayTimeUnit"] == "ns"
    assert '"ts":0.000,"dur":1000.000' in text
    assert '"ts":1234.478,"dur":0.007' in text
    assert file["metadata"]["offset_ns"] == report.offset_ns == T0 + 89
    assert report.bytes == out.stat().st_size


def test_the_metadata_say_where_the_file_comes_from_and_what_is_in_it(
    trace: Trace, out: Path
) -> None:
    trace.builder.add("profile", path="/data/prof", clock="boot", clock_offset=None)
    trace.lane(1).slice(1, 0, 10)
    report, _ = written(trace, out, Selection(TimeScope(T0, None), lanes="Thread"))
    metadata = json.loads(out.read_text())["metadata"]
    assert metadata["source"] == "made-up"
    assert metadata["clock"] == "boot"
    assert metadata["ranks"] == [
        {"rank": 0, "path": "/data/prof", "clock": "boot", "clock_offset": None}
    ]
    assert metadata["selection"]["from_ts"] == T0
    assert metadata["selection"]["lanes"] == "Thread"
    assert metadata["selection"]["slices_across_a_border"] == "whole"
    assert metadata["counts"]["slices"] == report.slices == 1
    assert metadata["npuview"]


def test_processes_and_threads_get_small_numbers_in_the_order_of_the_lanes(
    trace: Trace, out: Path
) -> None:
    for number, process in ((3, "Ascend Hardware"), (1, "CANN"), (2, "Ascend Hardware")):
        trace.lane(number, process).slice(number, 0, 5, name=f"on {number}")
    _, events = written(trace, out)
    where = {event["name"]: (event["pid"], event["tid"]) for event in events if event["ph"] == "X"}
    assert where == {"on 1": (1, 3), "on 2": (2, 4), "on 3": (2, 5)}
    described = {
        (event["name"], event["tid"]): event["args"] for event in events if event["ph"] == "M"
    }
    assert described["process_name", 4] == {
        "name": "Ascend Hardware",
        "pid": "pid of Ascend Hardware",
    }
    assert described["thread_name", 5] == {"name": "Thread 3", "tid": "tid 3"}
    assert described["thread_sort_index", 5] == {"sort_index": 3}
    assert described["process_sort_index", 4] == {"sort_index": 2}


def test_a_lane_without_a_name_is_named_by_its_number_in_the_file(trace: Trace, out: Path) -> None:
    trace.lane(1, None, None).slice(1, 0, 5)
    _, events = written(trace, out)
    assert lanes(events) == ["tid 1"]


def test_an_empty_name_is_not_written_because_perfetto_calls_it_damage(
    trace: Trace, out: Path
) -> None:
    trace.builder.add("track", track_id=1, pid_text="", tid_text="", sort_order=1)
    trace.slice(1, 0, 5)
    _, events = written(trace, out)
    assert {event["name"] for event in events if event["ph"] == "M"} == {
        "process_sort_index",
        "thread_sort_index",
    }


def test_every_rank_has_its_own_processes_that_say_their_rank(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    trace.rank(3).lane(1).slice(1, 2, 5)
    report, events = written(trace, out)
    processes = {
        event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"
    }
    assert processes == {1: "CANN (rank 0)", 2: "CANN (rank 3)"}
    assert report.slices == 2
    report, events = written(trace, out.with_name("one.json"), Selection(rank=3))
    assert names(events, "X") == {"s1"}
    assert report.offset_ns == T0 + 2


def test_overlapping_slices_go_to_extra_lanes_below_their_own(trace: Trace, out: Path) -> None:
    trace.lane(1).lane(2)
    trace.slice(1, 0, 10)
    trace.slice(1, 5, 10, sublane=1)
    trace.slice(1, 7, 10, sublane=2)
    trace.slice(2, 0, 1)
    report, events = written(trace, out)
    assert lanes(events) == ["Thread 1", "Thread 1 (overlap 1)", "Thread 1 (overlap 2)", "Thread 2"]
    assert report.extra_tracks == 2
    assert not load(events).dropped


def test_slices_nested_deeper_than_perfetto_keeps_go_to_an_extra_lane(
    trace: Trace, out: Path
) -> None:
    trace.lane(1)
    for depth in (0, 511, 512, 1_024):
        trace.slice(1, depth, 3_000 - 2 * depth, depth=depth)
    report, events = written(trace, out)
    assert lanes(events) == [
        "Thread 1",
        "Thread 1 (level 512 and deeper)",
        "Thread 1 (level 1024 and deeper)",
    ]
    assert [event["tid"] for event in events if event["ph"] == "X"] == [2, 2, 3, 4]
    assert (report.tracks, report.extra_tracks) == (3, 2)


def test_instants_are_instants_and_zero_length_slices_are_slices(trace: Trace, out: Path) -> None:
    trace.lane(1)
    trace.slice(1, 0, 10)
    trace.slice(1, 10, 0, name="mark", phase="i")
    trace.slice(1, 10, 0, name="asynchronous mark", phase="n")
    trace.slice(1, 10, 0, name="EVENT_RECORD")
    report, events = written(trace, out)
    assert (report.slices, report.instants) == (2, 2)
    assert names(events, "i") == {"mark", "asynchronous mark"}
    assert {event["s"] for event in events if event["ph"] == "i"} == {"t"}
    assert not load(events).dropped


def test_counters_are_written_with_the_keys_of_an_instant_together(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    trace.builder.add("track", track_id=2, process_name="HBM", sort_order=2)
    for series, key in ((1, "Read"), (2, "Write")):
        trace.builder.add("counter_series", series_id=series, track_id=2, name="HBM 0", key=key)
        trace.builder.add("counter", series_id=series, ts=T0 + 3, value=series + 0.5)
    trace.builder.add("counter", series_id=1, ts=T0 + 4, value=float("nan"))
    trace.builder.add("counter", series_id=1, ts=T0 + 900, value=9.0)
    report, events = written(trace, out, Selection(TimeScope(T0, T0 + 900)))
    (sample,) = [event for event in events if event["ph"] == "C"]
    assert (sample["name"], sample["ts"]) == ("HBM 0", 3)
    assert sample["args"] == {"Read": "1.5", "Write": "2.5"}
    assert report.counters == 2
    report, _ = written(trace, out.with_name("counter.json"), Selection(lanes="HBM"))
    assert (report.slices, report.counters) == (0, 3)


def test_arrows_get_small_numbers_and_only_those_with_both_ends_are_written(
    trace: Trace, out: Path
) -> None:
    trace.lane(1).lane(2)
    launch = trace.slice(1, 0, 10, name="launch")
    first = trace.slice(2, 20, 5, name="first")
    second = trace.slice(2, 30, 5, name="second")
    outside = trace.slice(2, 500, 5)
    trace.flow(launch, first, flow_key="340282366920938463463374607431768211456")
    trace.flow(launch, second)
    trace.flow(launch, outside)
    trace.flow(None, second)
    trace.flow(launch, None)
    trace.flow(None, None, src_ts=T0 + 1, src_track_id=1)
    report, events = written(trace, out, Selection(TimeScope(T0, T0 + 100)))
    kept = load(events)
    assert kept.arrows == Counter({("launch", "first"): 1, ("launch", "second"): 1})
    assert not kept.dropped
    assert {event["id"] for event in events if event["ph"] in "sf"} == {1, 2}
    assert report.flows == 2
    assert report.dropped_flow_ends == 4


def test_an_arrow_that_points_back_in_time_is_turned_and_says_so(trace: Trace, out: Path) -> None:
    trace.lane(1).lane(2)
    launch = trace.slice(1, 5, 10, name="launch")
    kernel = trace.slice(2, 0, 4, name="kernel")
    trace.flow(launch, kernel, src_ts=T0 + 7, dst_ts=T0)
    report, events = written(trace, out)
    assert load(events).arrows == Counter({("kernel", "launch"): 1})
    assert names(events, "sf") == {"HostToDevice (reversed)"}
    assert report.reversed_flows == report.flows == 1


def test_a_long_export_in_parts_is_the_same_file(
    trace: Trace, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace.lane(1).lane(2).lane(3).lane(4)
    trace.slice(1, 0, 500, name="around", args='{"a":1}')
    for at in range(40):
        trace.slice(1, 10 * at, 9, depth=1, args=f'{{"at":{at}}}')
        trace.slice(2, 10 * at, 9)
    for depth in range(20):
        trace.slice(3, depth, 600 - 2 * depth, depth=depth)
    trace.slice(4, 60, 900)
    for number in range(0, 80, 3):
        trace.flow(number + 2, 81 - number)
        trace.flow(number + 2, 81 - number)
    for selection in (WHOLE, Selection(TimeScope(T0 + 105, T0 + 950), clip=True)):
        whole, expected = written(trace, out.with_name(f"{selection.clip}1.json"), selection)
        with monkeypatch.context() as patch:
            patch.setattr(perfetto, "PART_SLICES", 8)
            patch.setattr(perfetto, "STRIDE_SLICES", 2)
            patch.setattr(perfetto, "ARGS_GAP", 2)
            parts, events = written(trace, out.with_name(f"{selection.clip}2.json"), selection)
        assert replace(parts, bytes=0) == replace(whole, bytes=0)
        assert [_without_number(event) for event in events] == [
            _without_number(event) for event in expected
        ]
        kept = load(events)
        assert not kept.dropped
        assert kept.arrows == load(expected).arrows
        assert kept.arrows.total() == whole.flows > 0


def _without_number(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "id"}


NAMES_AND_ARGS = st.tuples(
    st.text(max_size=20),
    st.dictionaries(
        st.text(max_size=5),
        st.none() | st.integers() | st.text(max_size=9) | st.lists(st.booleans()),
        max_size=4,
    ),
    st.booleans(),
)


@settings(max_examples=4, deadline=None)
@given(st.lists(NAMES_AND_ARGS, min_size=20, max_size=60))
def test_any_name_and_any_args_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, dict[str, Any], bool]]
) -> None:
    directory = tmp_path_factory.mktemp("hostile")
    trace = Trace(directory).lane(1, *(row[0] for row in rows[:2]))
    for at, (name, args, ascii_only) in enumerate(rows):
        text = json.dumps(args, ensure_ascii=ascii_only)
        trace.slice(1, at, 1, name=name, category=name, args=text)
    _, events = written(trace, directory / "out.json")
    slices = [event for event in events if event["ph"] == "X"]
    assert [(event["name"], event["cat"], event.get("args", {})) for event in slices] == [
        (name, name, args) for name, args, _ in rows
    ]


def test_force_keeps_the_mode_of_a_file_and_the_link_to_it(
    trace: Trace, out: Path, tmp_path: Path
) -> None:
    trace.lane(1).slice(1, 0, 10)
    kept = tmp_path / "kept.json"
    kept.write_text("old")
    kept.chmod(0o600)
    out.symlink_to(kept)
    with opened(trace) as session:
        export(session, WHOLE, out, force=True)
    assert out.is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_text())["metadata"]


def test_an_existing_file_is_replaced_only_by_force(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    out.write_text("precious")
    with opened(trace) as session:
        with pytest.raises(UsageError, match="exists already; use --force"):
            export(session, WHOLE, out)
        assert out.read_text() == "precious"
        export(session, WHOLE, out, force=True)
    assert json.loads(out.read_text())["traceEvents"]


def test_a_directory_or_a_pipe_is_never_replaced(trace: Trace, tmp_path: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with opened(trace) as session:
        for place in (tmp_path, pipe):
            with pytest.raises(UsageError):
                export(session, WHOLE, place, force=True)
    assert pipe.is_fifo()


def test_a_failing_write_leaves_nothing_behind(
    trace: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace.lane(1).slice(1, 0, 5)
    place = tmp_path / "here"
    place.mkdir()
    trace.store()
    full = OSError(28, "No space left on device")

    def fail(_: int) -> None:
        raise full

    monkeypatch.setattr("npuview.queries.perfetto.os.fsync", fail)
    with opened(trace) as session:
        with pytest.raises(NpuviewError, match=r"here/out\.json: No space left on device") as error:
            export(session, WHOLE, place / "out.json")
        assert error.value.exit_code == 1
        assert list(place.iterdir()) == []
        with pytest.raises(NpuviewError, match="No such file or directory"):
            export(session, WHOLE, tmp_path / "nowhere" / "out.json")


def test_a_name_that_ends_in_gz_is_compressed(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    packed = out.with_name("out.json.gz")
    with opened(trace) as session:
        export(session, WHOLE, out)
        report = export(session, WHOLE, packed)
    assert gzip.decompress(packed.read_bytes()) == out.read_bytes()
    assert report.bytes == packed.stat().st_size


def test_nothing_of_an_export_stays_in_the_session(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    with opened(trace) as session:
        export(session, WHOLE, out)
        left = session.cursor().execute(
            "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'export%'"
        )
        assert left.fetchall() == []


def test_an_answer_that_was_not_read_to_its_end_is_not_in_the_way(trace: Trace, out: Path) -> None:
    trace.lane(1).slice(1, 0, 5)
    with opened(trace) as session:
        session.cursor().execute("SELECT 1 FROM range(9)").fetchone()
        assert export(session, WHOLE, out).slices == 1


def test_both_engines_export_the_same(trace: Trace, tmp_path: Path) -> None:
    trace.lane(1).lane(2)
    launch = trace.slice(1, 0, 10, args='{"a":1}')
    trace.flow(launch, trace.slice(2, 5, 10))
    store = trace.store()
    for engine in ("index", "parquet"):
        with Session(store, engine=engine, threads=1) as session:
            export(session, WHOLE, tmp_path / engine)
    assert (tmp_path / "index").read_bytes() == (tmp_path / "parquet").read_bytes()


@pytest.mark.shared
@needs_perfetto
def test_perfetto_itself_drops_nothing(trace: Trace, out: Path) -> None:
    trace.lane(1, "Python\x1b[31m").lane(2, "Ascend Hardware \U0001f600").lane(3, "", "")
    trace.slice(1, 0, 9_000_000_000_123, name="", args='{"a":NaN}')
    outer = trace.slice(1, 10, 500, depth=1, args='{"big":18446744073709551615}')
    inner = trace.slice(1, 10, 500, depth=2, args='{"a":"\\ud83d\\ude00"}')
    mark = trace.slice(1, 10, 0, phase="i", depth=3)
    trace.slice(1, 300, 500, sublane=1, unfinished=True)
    for depth in range(520):
        trace.slice(2, depth, 3_000 - 2 * depth, depth=depth)
    early = trace.slice(3, 5, 3)
    late = trace.slice(3, 1_234_567, 89)
    trace.flow(outer, late).flow(inner, late).flow(mark, late).flow(inner, early)
    trace.builder.add("counter_series", series_id=1, track_id=3, name="HBM", key="")
    trace.builder.add("counter", series_id=1, ts=T0, value=-1e300)
    report, events = written(trace, out)
    sums = "SELECT sum(ts), sum(dur) FROM slice"
    arrows = (
        "SELECT a.depth, a.dur, b.dur FROM flow JOIN slice a ON a.id = slice_out"
        " JOIN slice b ON b.id = slice_in ORDER BY 1, 2, 3"
    )
    answer = ask_perfetto(out, sums, arrows)
    assert answer["problems"] == {}
    assert answer["slices"] == report.slices + report.instants == 527
    assert answer["flows"] == report.flows == 4
    assert answer["counters"] == report.counters == 1
    kept = load(events)
    assert not kept.dropped
    starts = sum(ts * many for (_, ts, _, _), many in kept.slices.items())
    lengths = sum(dur * many for (_, _, dur, _), many in kept.slices.items())
    assert answer["sql"][sums] == [[str(starts), str(lengths)]]
    assert answer["sql"][arrows] == [
        ["0", "3", "500"],
        ["1", "500", "89"],
        ["2", "500", "89"],
        ["3", "0", "89"],
    ]
