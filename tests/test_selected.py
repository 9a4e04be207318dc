"""What the dock tells of a slice, a gap, a cell or a counter: in words, in its room."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_build import row

from npuview.queries.rows import GapsRow, OperatorCallsRow
from npuview.queries.rows_stall import StallsRow
from npuview.queries.rows_timeline import (
    AtInstantRow,
    ChainRow,
    CountersRow,
    LanesRow,
    LaunchedRow,
    SliceNearRow,
    SliceRow,
)
from npuview.tui.draw.flow_row import Arrow
from npuview.tui.draw.ruler import Ruler
from npuview.tui.draw.run import Attributes
from npuview.tui.draw.safe_text import cell_len, clean
from npuview.tui.draw.viewport import Viewport
from npuview.tui.timeline.lanes import Lane
from npuview.tui.timeline.selected import (
    SECOND_COLUMN,
    Around,
    SelectedSlice,
    counter_lines,
    cursor_lines,
    gap_lines,
    lane_words,
    slice_lines,
    slice_title,
)
from npuview.tui.widgets.canvas import Line

RULER = Ruler.over(0, 1_000_000)
VIEW = Viewport(10, 0, 100)


def kernel(name: str = "aclnnAdd_AddAiCore_Add", **values: object) -> SliceRow:
    known = {"slice_id": 1, "ts": 50_000, "dur": 4000, "depth": 0, "track_id": 2, "phase": "X"}
    device = {"name": name, "part": "vector", "stream_id": 2, "task_id": 77, "unfinished": False}
    return row(SliceRow, **known | device | values)


def call(role: str, distance: int, ts: int = 20_000, name: str = "launch") -> ChainRow:
    return row(
        ChainRow, role=role, distance=distance, slice_id=9, ts=ts, dur=50, name=name, inferred=False
    )


def near(ts: int, dur: int, name: str = "Mul") -> SliceNearRow:
    return row(SliceNearRow, slice_id=3, ts=ts, dur=dur, name=name)


def said(lines: Sequence[Line]) -> str:
    return "\n".join("".join(run.text for run in line).rstrip() for line in lines)


def told(selected: SelectedSlice, width: int = 160, height: int = 8) -> str:
    return said(slice_lines(selected, RULER, VIEW, width, height))


def test_before_the_rest_is_known_the_slice_itself_is_told() -> None:
    selected = SelectedSlice(kernel())
    text = told(selected)
    assert "+50.0 µs … +54.0 µs   4.00 µs" in text
    assert text.count("…") == 4
    assert selected.launch is None
    assert selected.arrows == []
    assert slice_title(selected) == (
        "Selected  aclnnAdd_AddAiCore_Add",
        "stream 2   task 77",
    )


def test_a_launch_is_told_with_its_caller_and_how_long_before() -> None:
    chain = [call("slice", 0), call("launch", 0), call("launch", 1, name="aten::add")]
    selected = SelectedSlice(kernel(), Around(chain=chain))
    assert "by launch, 30.0 µs before it ran" in told(selected)
    assert "called from" in told(selected)
    assert "aten::add" in told(selected)
    assert selected.arrows == [Arrow(20_000, 50_000, Attributes.BOLD)]
    inferred = [one._replace(inferred=True) for one in chain]
    assert "launch (inferred)" in told(SelectedSlice(kernel(), Around(chain=inferred)))


def test_a_launch_after_the_start_by_another_clock_is_no_negative_length() -> None:
    late = call("launch", 0)._replace(ts=51_000)
    text = told(SelectedSlice(kernel(), Around(chain=[late])))
    assert "by launch, by its clock 1.00 µs after it began" in text


def test_callers_are_left_out_where_there_is_no_room() -> None:
    chain = [call("launch", 0), *(call("launch", up, name=f"caller{up}") for up in range(1, 9))]
    selected = SelectedSlice(kernel(), Around(chain=chain))
    for height in (3, 5, 8):
        lines = slice_lines(selected, RULER, VIEW, 160, height)
        assert len(lines) == height
    assert "caller1" in told(selected, height=3)
    assert "caller2" not in told(selected, height=3)


def test_a_call_of_the_host_tells_what_it_launched() -> None:
    host = kernel("aten::add", part=None, stream_id=None, task_id=None, thread_name="Thread 7")
    launched = [
        row(LaunchedRow, slice_id=at, ts=60_000 + at, dur=5, name="Add", launch_ts=50_100 + at)
        for at in range(2)
    ]
    selected = SelectedSlice(host, Around(launched=launched))
    assert "2 tasks of the device, the first Add" in told(selected)
    assert selected.arrows == [Arrow(50_101, 60_001), Arrow(50_100, 60_000)]
    assert slice_title(selected) == ("Selected  aten::add", "Thread 7")


@pytest.mark.parametrize(
    ("part", "words"), [("cube", "no launch on record"), (None, "nothing on the device")]
)
def test_a_slice_without_a_launch_says_which_of_both_it_is(part: str | None, words: str) -> None:
    assert words in told(SelectedSlice(kernel(part=part), Around()))


def test_neighbours_are_told_with_the_time_between() -> None:
    around = Around(before=near(40_000, 9000), after=near(53_000, 10, "Sub"))
    text = told(SelectedSlice(kernel(), around))
    assert "Mul   1.00 µs apart" in text
    assert "Sub   overlaps" in text
    assert told(SelectedSlice(kernel(), Around())).count("nothing on this lane") == 2


def test_a_kernel_is_told_by_its_type_core_and_shapes() -> None:
    known = row(
        OperatorCallsRow, type="Add", core="AI_VECTOR", block_num=8, wait=1500, input_shapes="[4,4]"
    )
    selected = SelectedSlice(kernel(kernel_id=5), Around(kernel=known))
    text = told(selected)
    assert "AI_VECTOR   blocks 8   waited 1.50 µs" in text
    assert "[4,4]" in text
    assert slice_title(selected)[0] == "Selected  Add   aclnnAdd_AddAiCore_Add"
    without = Around(kernel=known._replace(core=None, wait=None, block_num=None))
    assert "core not collected" in told(SelectedSlice(kernel(), without))


def test_a_slice_that_never_ended_says_so() -> None:
    assert "never ended" in told(SelectedSlice(kernel(unfinished=True)))


def stall(dur: int, cause: str = "host_sync", **values: object) -> StallsRow:
    return row(StallsRow, ts=1000, dur=dur, cause=cause, stage="framework", **values)


def gap(**values: object) -> GapsRow:
    return row(GapsRow, gap_id=1, ts=1000, dur=2000, wait_ns=0, **values)


def test_a_gap_is_told_with_what_is_not_known() -> None:
    text = said(gap_lines(gap(), [], RULER, VIEW, 160))
    assert "2.00 µs" in text
    assert "no event wait" in text
    assert text.count("no task") == 2
    assert "no piece of 2.00 µs has a cause" in text
    assert "…" in said(gap_lines(gap(cause="gc"), None, RULER, VIEW, 160)).splitlines()[0]
    known = gap(prev_name="Add", next_name="Mul", cause="host_sync")._replace(wait_ns=1500)
    pieces = [stall(1200, evidence_name="aclrtSync", line="main.py(3): train"), stall(300)]
    text = said(gap_lines(known, [*pieces, stall(500, cause="gc")], RULER, VIEW, 160))
    assert "blocking call, 1.50 µs of 2.00 µs, host late in framework" in text
    assert "shown by    aclrtSync" in text
    assert "asked for   main.py(3): train" in text
    assert "an event wait runs for 1.50 µs" in text
    assert "Add" in text
    assert "Mul" in text


def test_what_runs_under_the_cursor_is_listed_longest_first_as_it_was_answered() -> None:
    rows = [row(AtInstantRow, slice_id=at, ts=at, dur=90 - at, name=f"n{at}") for at in range(3)]
    lines = said(cursor_lines(rows, RULER, VIEW, 120)).splitlines()
    assert [line.split()[0] for line in lines] == ["n0", "n1", "n2"]
    assert said(cursor_lines([], RULER, VIEW, 120)).strip() == "nothing runs here"


def counter(unit: str | None = "MB/s") -> CountersRow:
    values = {"least": 0.0, "most": 1500.0, "samples": 1, "unit": unit}
    return row(CountersRow, series_id=1, rank=0, name="HBM", key="Read", **values)


def test_a_counter_is_told_here_and_in_the_run() -> None:
    text = said(counter_lines(counter(), 22.5, 160))
    assert "HBM Read" in text
    assert "22.5 MB/s" in text
    assert "1.50 GB/s   1 sample" in text
    assert "the file does not say" in text
    assert "before the first sample" in said(counter_lines(counter(), None, 160))


def test_a_lane_is_called_by_its_label_with_what_is_folded() -> None:
    stream = Lane(
        row(LanesRow, track_id=1, kind="stream", stream_id=2, part="cube", slices=3), False
    )
    assert lane_words(stream, 0) == "lane s2 C cube   3 slices"
    assert lane_words(stream, 2).endswith("2 more folded here: V")
    assert lane_words(Lane(row(LanesRow, track_id=1, kind="gap"), False), 0) == "lane · gaps"


texts = st.text(max_size=120) | st.text("算子[]\x1b\n", max_size=120)
widths = st.integers(76, 240)


@given(name=texts, other=texts, width=widths, height=st.integers(1, 20))
def test_whatever_names_there_are_lines_fit_and_are_clean(
    name: str, other: str, width: int, height: int
) -> None:
    chain = [call("launch", 0, name=other), call("launch", 1, name=name)]
    known = row(OperatorCallsRow, type=other, core=name, input_shapes=other, wait=5)
    around = Around(chain=chain, before=near(1, 2, other), after=near(90_000, 2, name))
    counted = counter(name)._replace(name=name, key=other, process_name=other)
    slices = [row(AtInstantRow, slice_id=1, ts=3, dur=5, name=name)]
    for selected in (around, Around(chain=chain, kernel=known)):
        found = kernel(name, parent_name=other, thread_name=name, part=None)
        title = slice_title(SelectedSlice(found, selected))
        assert tuple(map(clean, title)) == title
        check(slice_lines(SelectedSlice(found, selected), RULER, VIEW, width, height), width)
    known, pieces = gap(prev_name=name, next_name=other, cause=name), [stall(9, cause=name)]
    check(gap_lines(known, pieces, RULER, VIEW, width), width)
    check(cursor_lines(slices, RULER, VIEW, width), width)
    check(counter_lines(counted, 5.0, width), width)


def check(lines: Sequence[Line], width: int) -> None:
    for line in lines:
        text = "".join(run.text for run in line)
        assert cell_len(text) <= width
        assert clean(text) == text


@pytest.mark.parametrize(("width", "rows"), [(SECOND_COLUMN - 1, 4), (SECOND_COLUMN, 2)])
def test_a_wide_dock_has_two_columns(width: int, rows: int) -> None:
    known = SelectedSlice(kernel(), Around())
    assert len(slice_lines(known, RULER, VIEW, width, rows)) == rows
