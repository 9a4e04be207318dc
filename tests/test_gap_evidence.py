"""The proof of a gap, from rows that are made here."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from row_build import row

from npuview.queries.rows import GapsRow, GapSummaryRow
from npuview.queries.rows_stall import CausesRow, StallsRow
from npuview.queries.rows_timeline import ChainRow, LongSlicesRow, SliceRow
from npuview.tui.draw.look import Look
from npuview.tui.draw.run import row_text
from npuview.tui.draw.viewport import Viewport
from npuview.tui.timeline.gap_cause import cause_of
from npuview.tui.views.gap_columns import sure
from npuview.tui.views.gap_evidence import evidence_lines
from npuview.tui.views.gap_head import GapHead, in_states
from npuview.tui.views.gap_picture import ROWS, picture_cells
from npuview.tui.views.gap_proof import HostLane, Proof

MS = 1_000_000
LOOK = Look()


def stall(dur: int, cause: str, stage: str | None = "framework", **values: object) -> StallsRow:
    known = {"stall_id": dur, "ts": MS, "dur": dur, "cause": cause, "stage": stage}
    return row(StallsRow, **(known | {"inferred": False} | values))


def a_gap(cause: str | None = "host_sync", **values: object) -> GapsRow:
    known = {"gap_id": 1, "ts": MS, "dur": 2 * MS, "wait_ns": 0, "cause": cause}
    return row(GapsRow, **(known | {"inferred": False} | values))


def call(role: str, ts: int, dur: int, name: str = "Launch") -> ChainRow:
    return row(ChainRow, role=role, distance=0, slice_id=7, track_id=3, ts=ts, dur=dur, name=name)


def proof(gap: GapsRow, *pieces: StallsRow, launch: ChainRow | None = None) -> Proof:
    return Proof(gap, pieces, launch, None, (), Viewport.fit(0, 4 * MS, picture_cells(120)), ())


def text(gap: GapsRow, known: Proof | None, width: int = 120, height: int = 4) -> str:
    lines = evidence_lines(gap, known, 0, LOOK, width, height)
    return "\n".join(row_text(line) for line in lines)


def test_the_launch_is_told_by_when_it_was_done_and_not_when_its_call_returned() -> None:
    gap = a_gap(next_name="Mul")
    late = proof(gap, launch=call("launch", 2 * MS, 9 * MS))
    assert "done 2.00 ms after the device was free: +2.000 ms by Launch" in text(gap, late)
    early = proof(gap, launch=call("launch", 0, MS // 2))
    assert "done 500 µs before the device was free" in text(gap, early)
    assert "no launch of it is on record" in text(gap, proof(gap))


def test_until_it_is_known_only_the_place_of_a_gap_is_told() -> None:
    shown = text(a_gap(prev_name="Add"), None)
    assert "+1.000 ms after Add … +3.000 ms before no task" in shown
    assert shown.count("…") == 4


def test_all_time_of_a_gap_is_told_by_cause_and_what_moves_data_is_no_cause() -> None:
    gap = a_gap("rank 5")
    pieces = [stall(MS, "rank 5", None), stall(MS // 2, "gc"), stall(MS // 4, "gc", "launch")]
    shown = text(gap, proof(gap, *pieces), width=160)
    assert (
        "rank 5 1.00 ms, garbage collection 500 µs (framework),"
        " garbage collection 250 µs (launch), data moves 250 µs" in shown
    )
    assert "rank 5, 1.00 ms of 2.00 ms" in shown


def test_the_pieces_follow_in_time_and_those_without_room_are_counted() -> None:
    gap = a_gap()
    pieces = [
        stall(MS, "host_sync", ts=2 * MS, evidence_name="aclrtSync", line="train.py(3): step"),
        stall(MS // 2, "gc", ts=MS),
        stall(MS // 4, "alloc", ts=3 * MS, inferred=True),
    ]
    high = text(gap, proof(gap, *pieces), height=ROWS + 4 + 3).splitlines()
    listed = high[ROWS + 4 :]
    assert [line.split()[0] for line in listed] == ["+1.000", "+2.000", "+3.000"]
    assert "aclrtSync   train.py(3): step" in listed[1]
    assert listed[2].endswith("inferred")
    low = text(gap, proof(gap, *pieces), height=ROWS + 4 + 2).splitlines()
    assert low[-1] == "  2 shorter pieces of 750 µs together"


def test_the_words_keep_their_rows_when_the_picture_comes() -> None:
    gap, height = a_gap(), ROWS + 4
    before, after = (text(gap, one, height=height).splitlines() for one in (None, proof(gap)))
    assert [line.split()[:1] for line in before[ROWS:]] == [
        line.split()[:1] for line in after[ROWS:]
    ]


def test_a_conclusion_is_called_one_and_no_cause_is_claimed_where_none_is() -> None:
    inferred = [stall(2 * MS, "profiler", "device", inferred=True)]
    said = cause_of(a_gap("profiler"), inferred).sentence
    assert said == "profiler spacing, 2.00 ms of 2.00 ms, inferred, after the launch"
    assert cause_of(a_gap(None), []).sentence == "no piece of 2.00 ms has a cause"
    assert [sure(a_gap(one)) for one in ("gc", "unknown", None)] == [
        "certain",
        "unknown",
        "unknown",
    ]
    assert sure(a_gap("gc", inferred=True)) == "inferred"


def cause(ms: int, **values: object) -> CausesRow:
    known = {"state": "idle", "place": "between", "total": ms * MS, "cause": "gc"}
    return row(CausesRow, **(known | values))


def test_the_head_tells_the_late_host_from_what_follows_the_launch() -> None:
    causes = [
        cause(5, stage="framework"),
        cause(2, stage="launch"),
        cause(3, stage="device", cause="profiler"),
        cause(4, stage=None, cause="unknown"),
        cause(1, state="waiting_event", stage="device"),
        cause(6, place="lead_in", stage="framework"),
        cause(90, state="waiting_peer", place=None, stage=None),
    ]
    summary = [row(GapSummaryRow, count_=9, total=15 * MS, inside_ns=15 * MS)]
    head = GapHead("device", summary, (), in_states(causes, "device"), 0, 100 * MS, "the step")
    _, bar, legend = (row_text(line) for line in head.lines(160, LOOK))
    assert (
        "· host late 7.00 ms (5.00 ms framework and 2.00 ms launch)   ░ after the launch 3.00 ms"
        "   ▒ event wait 1.00 ms   ? unknown 4.00 ms   : step edges 6.00 ms"
    ) in legend
    assert "peers" not in legend
    assert set(bar.strip()) == set("·░▒?:")
    compute = replace(head, kind="compute", causes=in_states(causes, "compute"))
    assert "peers 90.0 ms" in row_text(compute.lines(160, LOOK)[2])
    narrow = row_text(head.lines(60, LOOK)[2])
    assert narrow.strip().startswith("· host late 7.00 ms   ")


NAMES = st.sampled_from(["", "Add", "名前" * 40, "\x1b[31m" + "x" * 90, None])


@pytest.mark.parametrize("ascii_level", [False, True])
@given(
    width=st.integers(60, 200),
    height=st.integers(1, 20),
    name=NAMES,
    pieces=st.integers(0, 9),
)
def test_no_row_is_wider_than_the_panel_nor_holds_what_a_terminal_obeys(
    *, ascii_level: bool, width: int, height: int, name: str | None, pieces: int
) -> None:
    look = Look(glyphs="ascii") if ascii_level else LOOK
    gap = a_gap(name or "gc", prev_name=name, next_name=name)
    view = Viewport.fit(0, 4 * MS, picture_cells(width))
    inside = row(SliceRow, ts=0, dur=MS, part="cube")
    slices = [row(LongSlicesRow, slice_id=1, ts=0, dur=MS, depth=0, sublane=0, name=name or "")]
    known = Proof(
        gap,
        [
            stall(MS // (at + 1), name or "gc", evidence_name=name, line=name)
            for at in range(pieces)
        ],
        call("launch", 0, MS, name or ""),
        None,
        [inside],
        view,
        [HostLane("launch", name, None, slices)],
    )
    for line in evidence_lines(gap, known, 0, look, width, height):
        shown = row_text(line)
        assert cell_len(shown) <= width
        assert "\x1b" not in shown
        assert not ascii_level or shown.isascii()
