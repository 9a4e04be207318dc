"""The steps on the screen: their times, what they are compared with, and the outliers."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from overview_build import MS, row
from rich.cells import cell_len
from screen import opened
from store_build import StoreBuilder

from npuview.ingest.store import Store
from npuview.queries.rows import OverviewRow
from npuview.tui.draw.look import Look
from npuview.tui.overview.step_columns import StepColumns
from npuview.tui.overview.step_lines import StepLines, grown, step_lines, step_status
from npuview.tui.run import Run
from npuview.tui.words.spoken import Language, speak, spoken

PERIODS = st.lists(st.integers(1, 10**12), min_size=3, max_size=60)


def a_step(number: int, period: int | None, **parts: object) -> OverviewRow:
    """Return a step that computes for half of its time and is idle for the rest, or as given."""
    half = None if period is None else period // 2
    values: dict[str, object] = {
        "rank": 0,
        "device_id": 0,
        "step": number,
        "kind": "train",
        "ts": number * 10**12,
        "period": period,
        "computing": half,
        "mc2": 0,
        "aicpu": 0,
        "waiting": 0,
        "moving": 0,
        "collective_unsplit": 0,
        "idle": None if period is None or half is None else period - half,
    }
    return row(OverviewRow, **(values | parts))


def lines_of(rows: Sequence[OverviewRow]) -> StepLines:
    return step_lines(Run((), (), rows, ()), 0)


def of_periods(periods: Sequence[int]) -> StepLines:
    return lines_of([a_step(number, period) for number, period in enumerate(periods)])


# What is compared with what.


def test_a_warm_up_says_so_and_does_not_count_for_the_median() -> None:
    rows = [a_step(0, 9000, warmup=True), *(a_step(number, 100) for number in range(1, 5))]
    lines = lines_of(rows)
    assert lines.median == 100
    assert "warm-up" in grown(lines.steps[0], lines)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_warm_up_says_what_proves_it(language: Language) -> None:
    speak(language)
    words = spoken().texts
    for by in ("compile", "capture", "first_use", "schedule"):
        rows = [a_step(0, 900, warmup=True, warmup_by=by), a_step(1, 100), a_step(2, 100)]
        lines = lines_of(rows)
        assert words[f"warm_up_{by}"] in step_status(lines.steps[0], lines)
    both = lines_of([a_step(0, 900, warmup=True, warmup_by="compile, capture"), a_step(1, 100)])
    said = grown(both.steps[0], both)
    assert all(words[f"warm_up_{by}"] in said for by in ("compile", "capture"))


def test_the_status_says_which_part_grew_and_by_how_much() -> None:
    rows = [a_step(number, 400 * MS) for number in range(5)]
    rows.append(a_step(5, 590 * MS, computing=201 * MS, idle=389 * MS))
    lines = lines_of(rows)
    assert step_status(lines.steps[-1], lines) == (
        "step 5   590 ms   +190.0 ms from the median; idle grew 189 ms"
    )
    assert step_status(lines.steps[0], lines) == "step 0   400 ms"


def test_all_steps_together_are_a_line_of_their_own_only_where_there_are_several() -> None:
    assert [line.name for line in of_periods([5]).lines] == ["0"]
    first, *_ = of_periods([5, 6]).lines
    assert (first.step, first.name, first.period) == (None, "all", 11)
    assert first.split is not None
    assert first.split.period == 11


def test_a_step_of_which_no_time_is_known_is_listed_and_says_so() -> None:
    lines = lines_of([a_step(1, 100), a_step(2, None), a_step(3, 100)])
    assert lines.median == 100
    assert "does not say when" in step_status(lines.steps[1], lines)


@given(PERIODS, st.sampled_from([36, 60, 98, 160]), st.booleans())
def test_every_cell_keeps_to_its_column(periods: list[int], width: int, in_full: bool) -> None:
    lines = of_periods(periods)
    for column in StepColumns(lines, Look(), in_full).for_width(width):
        cells = column.width or 12
        assert cell_len(column.title) <= cells or column.width is None
        for line in lines.lines:
            drawn = column.draw(line, cells)
            text = drawn if isinstance(drawn, str) else "".join(run.text for run in drawn)
            assert cell_len(text) <= cells


# The screen.


def store_of(path: Path, periods: Sequence[int]) -> Store:
    builder = StoreBuilder(path).rank(0)
    builder.add(
        "profile",
        rank_known=True,
        producer="torch_npu",
        versions="{}",
        switches="{}",
        name="made_up",
        path="/a",
        clock="epoch",
        ts=0,
        dur=sum(periods),
    )
    ts = 0
    for step, period in enumerate(periods, 100):
        builder.add(
            "step",
            step=step,
            source="profiler_step",
            kind="train",
            inferred=False,
            ts=ts,
            dur=period,
        )
        builder.add("ledger", device_id=0, step=step, state="computing", dur=250 * MS)
        builder.add("ledger", device_id=0, step=step, state="idle", dur=period - 250 * MS)
        ts += period
    return builder.build()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    periods = [410, 409, 411, 410, 598, 409, 410, 700, 410, 412]
    return store_of(tmp_path_factory.mktemp("steps"), [ms * MS for ms in periods])


async def test_the_head_sums_up_the_steps(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("S")
        head = screen.row_with("10 steps")
        assert "median 410.0 ms   min 409.0 ms   max 700.0 ms   2 outliers" in head
        assert "· idle" in head
        assert "steps" in screen.rows()[0]


@pytest.mark.parametrize("size", [(160, 45), (100, 30), (80, 24), (60, 16)])
async def test_an_outlier_is_marked_and_compared_at_every_size(
    store: Store, size: tuple[int, int]
) -> None:
    async with opened(store, size=size) as screen:
        await screen.press("S")
        line = screen.row_with("598.0 ms !")
        assert "+188.0 ms" in line
        assert "·" in line
        assert "!" not in screen.row_with("411.0 ms")


async def test_braces_go_from_outlier_to_outlier(store: Store) -> None:
    async with opened(store, size=(120, 30)) as screen:
        await screen.press("S", "right_curly_bracket")
        assert screen.app.place.step == 104
        assert "idle grew 188 ms" in screen.rows()[-2]
        await screen.press("right_curly_bracket")
        assert screen.app.place.step == 107
        await screen.press("right_curly_bracket")
        assert "no outlier further on" in screen.text()
        await screen.press("left_curly_bracket", "left_curly_bracket")
        assert screen.app.place.step == 104
        assert "no outlier before" in screen.text()


async def test_enter_makes_a_step_the_one_of_all_views(store: Store) -> None:
    async with opened(store, size=(120, 30)) as screen:
        await screen.press("S", "j", "j", "enter")
        assert screen.app.view.WHERE == "timeline"
        assert screen.app.place.step == 101


async def test_the_first_line_is_the_whole_run_again(store: Store) -> None:
    async with opened(store, size=(120, 30)) as screen:
        await screen.press("S", "j", "home")
        assert screen.app.place.step is None
        assert "all steps" in screen.rows()[0]


async def test_steps_can_be_sorted_and_are_found_by_their_number(store: Store) -> None:
    async with opened(store, size=(120, 30)) as screen:
        await screen.press("S", "o")
        assert "longest first" in screen.text()
        table = screen.app.view.table
        assert table is not None
        assert [line.name for line in table.rows[:3]] == ["all", "107", "104"]
        await screen.press("slash")
        await screen.type("106\n")
        assert screen.app.place.step == 106


async def test_a_thousand_steps_are_listed_with_the_cursor_in_sight(tmp_path: Path) -> None:
    store = store_of(tmp_path, [(400 + number % 7) * MS for number in range(1000)])
    async with opened(store, size=(80, 24)) as screen:
        await screen.press("S", "end")
        assert "▌ 1099" in screen.text()
        assert screen.app.place.step == 1099
        await screen.press("1")
        assert "step 1099" in screen.text()


async def test_without_an_outlier_braces_say_so(tmp_path: Path) -> None:
    async with opened(store_of(tmp_path, [400 * MS] * 4), size=(80, 24)) as screen:
        await screen.press("S", "right_curly_bracket")
        assert "no step here is an outlier" in screen.text()
