"""The place of a row: by the names of its columns, in the step that holds it."""

from npuview.queries.query import AnswerColumn
from npuview.queries.rows import ProfilesRow, StepsRow
from npuview.tui.focus import Focus, Selection, Window
from npuview.tui.run import Run
from npuview.tui.sql.kept_answer import Row
from npuview.tui.sql.row_place import RowPlace, focus_on, row_place


def place(row: Row, *names: str) -> RowPlace:
    return row_place([AnswerColumn(name, "BIGINT") for name in names], row)


def test_a_row_names_its_slice_its_gap_and_its_time() -> None:
    row = ("Add", 7, 3, 100, 20, 1)
    assert place(row, "name", "slice_id", "gap_id", "ts", "dur", "rank") == RowPlace(
        7, 3, 100, 20, 1, "Add"
    )


def test_the_slice_of_a_sum_is_its_longest_one() -> None:
    assert place((5, 9), "count", "longest_slice_id") == RowPlace(slice_id=9)


def test_a_slice_beside_a_row_is_not_the_row_itself() -> None:
    assert place((100, 20, 9), "ts", "dur", "prev_slice_id") == RowPlace(ts=100, dur=20)


def test_a_row_selects_its_slice_and_its_gap_and_takes_no_track_for_them() -> None:
    window = Window(10, 15)
    gap = RowPlace(gap_id=3, ts=10, dur=5).selection(window)
    assert (gap.slice_id, gap.gap_id) == (None, 3)
    task = place((4, 8, 10, 5), "slice_id", "track_id", "ts", "dur").selection(window)
    assert (task.slice_id, task.gap_id) == (4, None)


def test_what_is_no_whole_number_is_no_place() -> None:
    assert place((True, None, "7"), "slice_id", "ts", "gap_id") == RowPlace()
    assert place((1.5,), "ts").window is None


def test_an_instant_has_a_window_that_can_be_shown() -> None:
    assert place((100,), "ts").window == Window(100, 101)


def run_of_two_ranks() -> Run:
    """Two ranks; the first has the steps 1 from 0 and 2 from 100 ns on."""

    def profile(rank: int) -> ProfilesRow:
        return ProfilesRow(
            rank, True, 2, 0, None, "torch_npu", "{}", None, "{}", "", "", "epoch", 0, 0, 300
        )

    def step(number: int, ts: int) -> StepsRow:
        start = (0, number, "train", "x", False, False, None, ts, 100)
        return StepsRow(*start, *[None] * (len(StepsRow._fields) - len(start)))

    return Run((profile(0), profile(1)), (step(1, 0), step(2, 100)), (), ())


def test_a_place_in_another_step_or_rank_moves_the_focus_there() -> None:
    run = run_of_two_ranks()
    here = Focus(0, 1)
    for window, rank, step in (
        (Window(10, 20), None, 1),
        (Window(110, 120), 0, 2),
        (Window(250, 260), 0, None),
        (Window(10, 20), 1, None),
    ):
        focus = focus_on(run, here, Selection(window, "x"), rank)
        assert focus is not None
        assert (focus.rank, focus.step) == (rank or 0, step)
        assert focus.selection == Selection(window, "x")
        assert focus.window is not None
        assert focus.window.meets(window)


def test_a_place_outside_of_the_run_or_of_a_rank_that_is_not_open_is_none() -> None:
    run = run_of_two_ranks()
    assert focus_on(run, Focus(0, 1), Selection(Window(500, 510), "x"), None) is None
    assert focus_on(run, Focus(0, 1), Selection(Window(10, 20), "x"), 5) is None
