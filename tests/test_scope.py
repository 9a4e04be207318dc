"""A range that is marked in the timeline is what every list is about, until it is given up."""

import json
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from command_line import Run
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.rows import GapsRow, GapSummaryRow
from npuview.queries.rows_stall import CausesRow
from npuview.queries.session import Session
from npuview.tui.answers import open_answers
from npuview.tui.draw import numbers
from npuview.tui.focus import Focus, Window
from npuview.tui.run import ask_run
from npuview.tui.scope import Scope, scope_of, scope_title
from npuview.tui.views.calls import Calls
from npuview.tui.views.gaps import Gaps
from npuview.tui.views.memory import Memory
from npuview.tui.views.moves import Moves
from npuview.tui.views.top import Top
from npuview.tui.views.view import View
from npuview.tui.views.waits import Waits

WIDE = (160, 45)


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


async def mark(screen: Screen, *, start: int = 30, end: int = 60) -> Window:
    """Mark from so many percent of a step to so many, and return what is marked."""
    if screen.app.place.step is None:
        await screen.press("greater_than_sign")
    place = screen.app.place
    whole = screen.app.run_facts.whole(place)
    assert whole
    at = [whole.from_ts + whole.dur * one // 100 for one in (start, end)]
    screen.app.move(replace(place, marked=Window(at[0], at[1])))
    await screen.settle()
    return Window(at[0], at[1])


async def view_on(screen: Screen, name: str) -> View:
    """Show a view and return it."""
    screen.app.open_view(name)
    await screen.settle()
    return screen.app.view


async def test_top_shows_the_figures_of_the_text_command_for_the_range(
    store: Store, sample: Path, run: Run
) -> None:
    async with opened(store, size=WIDE) as screen:
        window = await mark(screen)
        view = await view_on(screen, "top")
        assert isinstance(view, Top)
        shown = [
            (row.key.name, row.calls, row.total, row.period_share, row.kernel_share)
            for row in view.table.rows
        ]
        inside = sum(row.inside for row in view.table.rows if not row.collective)
        whole = sum(row.total for row in view.table.rows if not row.collective)
        head = screen.row_with("of their time in the range")
        assert "kernels begin in it" in head
        assert numbers.time(inside) in head
        assert 0 < inside < whole
    told = run(
        *("top", sample, "--from", window.from_ts, "--to", window.to_ts),
        *("--rank", 0, "--format", "json"),
    )
    names = ("name", "count", "total", "period_share", "kernel_share")
    assert shown == [tuple(row[name] for name in names) for row in json.loads(told.out)]
    assert shown


@pytest.mark.parametrize("view", ["top", "gaps", "waits", "moves", "memory"])
async def test_the_title_says_that_a_list_is_of_a_range_and_esc_goes_back_to_the_step(
    store: Store, view: str
) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("greater_than_sign")
        step = screen.app.place.step
        await view_on(screen, view)
        assert f"step {step}" in "\n".join(screen.rows()[1:])
        before = screen.rows()[1:-2]
        await mark(screen)
        assert "range +" in screen.row_with(f" of step {step}")
        assert "…" in screen.row_with(f" of step {step}")
        await screen.press("escape")
        assert screen.app.place.marked is None
        assert view == screen.app.view.WHERE
        assert "the marked range is forgotten" in screen.rows()[-2]
        assert screen.rows()[1:-2] == before


async def test_calls_stay_in_the_range_of_the_operator_that_they_were_opened_from(
    store: Store,
) -> None:
    async with opened(store, size=WIDE) as screen:
        window = await mark(screen)
        top = await view_on(screen, "top")
        assert isinstance(top, Top)
        await screen.press("home")
        operator = top.table.row
        assert operator
        await screen.press("enter")
        calls = screen.app.view
        assert isinstance(calls, Calls)
        assert len(calls.table.rows) == operator.calls
        assert sum(call.dur for call in calls.table.rows) == operator.total
        assert all(window.holds(call.ts) for call in calls.table.rows)
        # One level back is the operator, still of the range.
        await screen.press("escape")
        assert screen.app.view.WHERE == "top"
        assert screen.app.place.marked == window


async def test_gaps_waits_and_moves_are_those_that_touch_the_range(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        window = await mark(screen)
        gaps = await view_on(screen, "gaps")
        assert isinstance(gaps, Gaps)
        spans = [Window(row.ts, row.ts + row.dur) for row in gaps.table.rows]
        waits = await view_on(screen, "waits")
        assert isinstance(waits, Waits)
        spans += [Window(row.ts, row.ts + row.dur) for row in waits._found.collectives]  # pyright: ignore[reportPrivateUsage] # what is listed
        moves = await view_on(screen, "moves")
        assert isinstance(moves, Moves)
        spans += [Window(row.ts, row.ts + row.window) for row in moves._found.moves]  # pyright: ignore[reportPrivateUsage] # as above
        assert spans
        assert all(span.meets(window) for span in spans)
        assert "of a range only the lists are known" in screen.text()


async def test_the_curve_of_memory_is_that_of_the_range(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        window = await mark(screen)
        memory = await view_on(screen, "memory")
        assert isinstance(memory, Memory)
        curve = memory._curve  # pyright: ignore[reportPrivateUsage] # what is drawn
        assert curve
        assert curve.window == window


async def test_sums_over_a_range_are_of_what_lies_in_it(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("greater_than_sign")
        await view_on(screen, "gaps")
        [whole] = [row for row in screen.rows() if " of the step" in row]
        for ends in ((0, 40), (40, 100)):
            await mark(screen, start=ends[0], end=ends[1])
            assert "of the range" in screen.text()
        assert "of the range" not in whole


def test_parts_of_a_step_hold_together_what_the_step_does(session: Session) -> None:
    with closing(open_answers(session.store)) as answers:
        run = ask_run(answers)
        step = run.steps_of(0)[0]
        assert step.ts is not None
        assert step.dur is not None
        end = step.ts + step.dur
        at = [step.ts, step.ts + step.dur // 3, step.ts + step.dur // 2, end]

        def totals(**asked: int | None) -> Counter[tuple[str, str | None]]:
            sums: Counter[tuple[str, str | None]] = Counter()
            for row in answers.rows("causes", CausesRow, rank=0, **asked):
                sums[row.state, row.cause] += row.total
            return sums

        parts: Counter[tuple[str, str | None]] = Counter()
        gaps = 0
        for start, stop in pairwise(at):
            parts += totals(from_ts=start, to_ts=stop)
            asked = {"rank": 0, "from_ts": start, "to_ts": stop}
            gaps += sum(
                row.inside_ns for row in answers.rows("gap_summary", GapSummaryRow, **asked)
            )
        assert parts == totals(from_ts=step.ts, to_ts=end) == totals(step=step.step)
        listed = answers.rows("gaps", GapsRow, rank=0, from_ts=step.ts, to_ts=end)
        assert gaps == sum(
            Window(gap.ts, gap.ts + gap.dur).within(Window(step.ts, end)).dur for gap in listed
        )


def test_a_range_is_asked_for_without_its_step() -> None:
    focus = Focus(3, 50, marked=Window(10, 20))
    assert scope_of(focus) == Scope(3, None, Window(10, 20))
    assert scope_of(focus).asked == {"rank": 3, "from_ts": 10, "to_ts": 20}
    assert scope_of(Focus(3, 50)).asked == {"rank": 3, "step": 50}


def test_a_range_is_told_from_the_start_of_its_step(session: Session) -> None:
    with closing(open_answers(session.store)) as answers:
        run = ask_run(answers)
    step = run.steps_of(0)[0]
    assert step.ts is not None
    marked = Window(step.ts + 41_000_000, step.ts + 42_100_000)
    focus = Focus(0, step.step, marked=marked)
    assert scope_title(focus, run) == f"range +41.00…+42.10 ms of step {step.step}"
    assert scope_title(Focus(0, step.step), run) == f"step {step.step}"
    assert scope_title(Focus(0), run) == "the run"
    assert numbers.time(marked.dur) == "1.10 ms"
