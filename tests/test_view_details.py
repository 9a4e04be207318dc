"""Details: all that is known of one slice, and the ways from it to others."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_store import (
    CALL_SLICE,
    COLLECTIVE_SLICE,
    FIRST_MATMUL,
    HOST,
    MATMULS,
    MODULE_SLICE,
    PLANE_SLICE,
    STREAM,
    US,
    add_slice,
    builder,
    kernel_store,
    slice_id,
)
from screen import Screen, opened
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows import KernelMetricsRow, OperatorCallsRow
from npuview.tui.draw import numbers
from npuview.tui.draw.facts import Fact, fact_lines
from npuview.tui.draw.look import Look
from npuview.tui.draw.pipe_rows import pipe_row
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import Run, row_text
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.kernel.pipes import cores_of, part_of
from npuview.tui.process.display import Display
from npuview.tui.views.details import Details
from npuview.tui.views.details_facts import Arg, args_of
from npuview.tui.widgets.sheet import Sheet, exactly

NARROW = (80, 24)
WIDE = (160, 45)
LAST_MATMUL = FIRST_MATMUL + MATMULS - 1
LOOK = Look("unicode", color=True)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return kernel_store(tmp_path_factory.mktemp("kernels"))


async def show(screen: Screen, number: int) -> None:
    """Open the details of a slice by its small number."""
    screen.app.open_view("details", item=slice_id(number))
    await screen.settle()


def copied(screen: Screen) -> str:
    assert isinstance(screen.app.view, Details)
    return screen.app.view.copied()


def kernel(**given: Any) -> OperatorCallsRow:  # noqa: ANN401 # a value of any column
    values: dict[str, Any] = dict.fromkeys(OperatorCallsRow._fields)
    values |= {"kernel_id": 1, "rank": 0, "name": "k", "ts": 0, "dur": 1000}
    return OperatorCallsRow(**(values | given))


async def test_a_kernel_has_its_time_phases_shapes_and_calls(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, LAST_MATMUL)
        assert "C AI_CORE   stream 2   task 7   dynamic   blocks 16" in screen.text()
        assert "+1.900 ms" in screen.row_with("start    ")
        assert "900 µs" in screen.row_with("kernel time")
        assert "1 of 8" in screen.row_with("rank by time")
        assert "56.3 %" in screen.row_with("share of them")
        assert "98.3 %    885 µs  HBM to L1" in screen.row_with("mte2")
        assert "led by mte2: the core waits for HBM; mac works 15.0 % of the time." in screen.text()
        assert "All 8 MatMulV2" in screen.text()
        assert "min 100 µs   median 100 µs   max 900 µs   sum 1.60 ms" in screen.text()
        assert "this one ▲" in screen.text()


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_bound_and_the_blocks_are_those_of_the_question(
    store: Store, size: tuple[int, int]
) -> None:
    [row] = ask(store, "aicore_kernels", kernel_id=identifier(0, MATMULS - 1))
    assert (row.bound, row.least_ratio, row.blocks, row.cores) == ("mte2", 0.8, 16, 16)
    async with opened(store, size=size) as screen:
        await show(screen, LAST_MATMUL)
        text = " ".join(screen.text().split())
        ratio, least = numbers.ratio(row.busiest_ratio), numbers.ratio(row.least_ratio)
        assert f"bound mte2 {ratio}, at least {least}" in text
        assert f"memory bound {numbers.times(row.memory_bound)}" in text
        assert "blocks 16 on 16 cores (inferred)" in text
        assert "cores filled 100 %" in text


async def test_blocks_of_a_kernel_are_told_against_the_cores_of_the_profile(
    tmp_path: Path,
) -> None:
    store = builder(tmp_path, cube_cores=24, vector_cores=48).build()
    async with opened(store, size=WIDE) as screen:
        await show(screen, LAST_MATMUL)
        assert "16 on 24 cores" in screen.row_with("blocks   ")
        assert "inferred" not in screen.row_with("blocks   ")
        assert "66.7 %" in screen.row_with("cores filled")


async def test_shapes_stand_with_their_types_and_formats(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, FIRST_MATMUL)
        assert "FLOAT  ND" in screen.row_with("in    32,9216   4096,9216")
        assert "BF16  ND" in screen.row_with("[]")


async def test_at_80_columns_the_sections_stand_one_under_the_other(store: Store) -> None:
    async with opened(store, size=(80, 30)) as screen:
        await show(screen, LAST_MATMUL)
        titles = ("── Time", "── Phases", "── Shapes", "── All 8", "── Around it")
        rows = screen.rows()
        places = [next(y for y, row in enumerate(rows) if row.startswith(one)) for one in titles]
        assert places == sorted(places)
        assert all(cell_len(row) <= 80 for row in rows)


async def test_what_has_no_room_is_scrolled_to(store: Store) -> None:
    async with opened(store, size=(80, 16)) as screen:
        await show(screen, LAST_MATMUL)
        assert "Came from" not in screen.text()
        below = int(screen.rows()[-2].partition(" rows below")[0].split()[-1])
        screen.app.view.query_one(Sheet).scroll_rows(below - 1)
        await screen.press("j")
        assert "below" not in screen.rows()[-2]
        assert "nn.Module: Linear_0" in screen.rows()[-3]
        await screen.press("pageup", "pageup", "pageup", "k")
        assert "── Time" in screen.text()


async def test_a_kernel_came_from_the_calls_up_to_its_module(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, FIRST_MATMUL)
        assert "Thread 7" in screen.row_with("launch    Enqueue")
        assert "in        aten::linear" in screen.text()
        assert "in        nn.Module: Linear_0" in screen.text()


async def test_a_link_that_is_a_conclusion_says_so(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, FIRST_MATMUL + 1)
        assert "(inferred)" in screen.row_with("launch    Enqueue")


async def test_neighbours_come_with_the_gaps_between(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, FIRST_MATMUL)
        assert "first on its lane" in screen.row_with("before")
        assert "gap 100 µs" in screen.row_with("after ")


async def test_the_next_call_is_the_next_in_time_and_esc_leaves_at_once(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3")
        await show(screen, FIRST_MATMUL)
        await screen.press("full_stop", "full_stop")
        assert "call 3 of 8" in screen.text()
        await screen.press("comma", "comma", "comma")
        assert "this is the first call of the operator" in screen.text()
        await screen.press("full_stop", "escape")
        assert "Operators" in screen.text()


async def test_following_to_the_launch_is_a_level_deeper(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await show(screen, FIRST_MATMUL)
        await screen.press("full_stop", "left_square_bracket")
        assert "Enqueue" in screen.rows()[0]
        await screen.press("u")
        assert "aten::linear" in screen.rows()[0]
        await screen.press("escape", "escape")
        assert "call 2 of 8" in screen.rows()[0]


async def test_a_host_call_says_what_it_launched_and_leads_there(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, CALL_SLICE)
        assert "8 device slices, 1.60 ms in sum, 1 of them inferred" in screen.text()
        assert "called by nn.Module: Linear_0" in screen.text()
        await screen.press("right_square_bracket")
        assert "call 1 of 8" in screen.rows()[0]


async def test_ways_that_lead_nowhere_are_said(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await show(screen, MODULE_SLICE)
        for key, said in (
            ("left_square_bracket", "what launched it is not in this profile"),
            ("u", "it is the outermost slice"),
            ("full_stop", "only kernels have calls of one operator"),
            ("p", "no figures of the core's units"),
            ("x", "this slice has no args"),
        ):
            await screen.press(key)
            assert said in screen.rows()[-2]
        await show(screen, FIRST_MATMUL)
        await screen.press("right_square_bracket")
        assert "nothing is launched from here" in screen.rows()[-2]


async def test_a_collective_tells_transfer_from_waiting_and_who_came_last(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, COLLECTIVE_SLICE)
        assert "16.0 MB" in screen.row_with("message")
        assert "500 µs   25.0 %   32.0 GB/s" in screen.row_with("transfer")
        assert "1.50 ms   75.0 %" in screen.row_with("waiting")
        assert "peer 3" in screen.row_with("last came")
        assert "waited 1.40 ms" in screen.row_with("for peer 3")
        assert "Phases" not in screen.text()


async def test_a_plane_task_names_its_collective(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, PLANE_SLICE)
        assert "hcom_allReduce__1_0" in screen.row_with("collective")


async def test_without_plane_tasks_transfer_and_waiting_are_not_told_apart(tmp_path: Path) -> None:
    built = builder(tmp_path)
    built.add("collective", collective_id=2, slice_id=40, name="hcom", ts=1, dur=9, device_id=0)
    add_slice(built, 40, 3, 8 * 10**6, 9, name="hcom", class_="communication")
    async with opened(built.build(), size=WIDE) as screen:
        await show(screen, 40)
        assert "cannot be told apart" in screen.text()
        assert "size not given" in screen.text()


async def test_phases_are_a_table_and_args_are_one_and_esc_leaves_them(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await show(screen, FIRST_MATMUL)
        await screen.press("p")
        assert "HBM to L1" in screen.row_with("cube    mte2")
        await screen.press("x")
        assert "9007199254740993" in screen.row_with("Task Id")
        assert "[1]" in screen.row_with("own.x")
        assert "9830000" in screen.row_with("aic_total_cycles")
        assert copied(screen) == "Task Id=9007199254740993"
        await screen.press("escape")
        assert "── Time" in screen.text()


async def test_enter_shows_the_slice_in_the_timeline(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await show(screen, LAST_MATMUL)
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        selection = screen.app.place.selection
        assert selection is not None
        assert selection.slice_id == slice_id(LAST_MATMUL)


async def test_what_is_copied_has_the_true_name_and_whole_ns(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await show(screen, FIRST_MATMUL)
        said = f"aclnnMm_MatMulV2 ts=1500000 dur=100000 ns slice_id={slice_id(FIRST_MATMUL)}"
        assert copied(screen) == said


async def test_a_slice_that_there_is_not_is_a_sentence(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await show(screen, 9999)
        assert f"There is no slice {slice_id(9999)}" in screen.text()
        await screen.press("full_stop", "p", "x", "u", "enter", "right_square_bracket")
        assert screen.app.view.WHERE == "details"


async def test_nothing_selected_is_a_sentence(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        screen.app.move(screen.app.place.at_step(1))
        screen.app.open_view("details")
        await screen.settle()
        assert "No slice is selected" in screen.text()


async def test_a_kernel_without_figures_says_how_to_collect_them(tmp_path: Path) -> None:
    built = StoreBuilder(tmp_path).rank(0)
    built.add(
        "profile", rank_known=True, producer="torch_npu", level="Level0", name="x", path="x",
        versions="{}", switches="{}", clock="boot",
    )  # fmt: skip
    built.add("track", track_id=STREAM, kind="stream", sort_order=1, device_id=0)
    name = "名" * 120 + "\x1b[31m"
    add_slice(built, 1, STREAM, 0, 50 * US, name=name, class_="compute", unfinished=True)
    built.add("kernel", kernel_id=1, slice_id=1, name=name, ts=10**6, dur=50 * US, step=1)
    async with opened(built.build(), size=NARROW) as screen:
        await show(screen, 1)
        text = screen.text()
        assert "core not collected" in text
        assert "aic_metrics" in text.replace("\n    ", "")
        assert "never ended in the file" in text
        assert "not known (boot clock)" in text
        assert "waited not given" in text
        assert "\x1b" not in text
        assert all(cell_len(row) <= 80 for row in screen.rows())


@pytest.mark.parametrize("size", [(60, 15), (100, 30), WIDE])
async def test_every_kind_of_slice_is_shown_at_every_size(
    store: Store, size: tuple[int, int]
) -> None:
    async with opened(store, size=size, display=Display(glyphs="ascii")) as screen:
        for number in (HOST, FIRST_MATMUL, COLLECTIVE_SLICE, PLANE_SLICE):
            await show(screen, number)
            body = "\n".join(screen.rows()[1:-2])
            assert "-- Time --" in body
            assert body.isascii()


def test_only_cores_that_ran_have_phases() -> None:
    ran = kernel(aicore_time=0, aiv_time=10, aic_mac_ratio=0.0, aiv_vec_ratio=0.9)
    [core] = cores_of(ran, least_ratio=0.8)
    assert core.name == "vector"
    assert core.verdict == "led by vec: the core computes"
    both = cores_of(kernel(aicore_time=5, aiv_time=10, aic_mac_ratio=0.1, aiv_vec_ratio=0.9))
    assert [one.name for one in both] == ["cube", "vector"]
    assert cores_of(kernel(aicore_time=5)) == []


def test_no_unit_leads_that_is_not_busy_most_of_the_time() -> None:
    moved = kernel(aiv_time=10, aiv_vec_ratio=0.5, aiv_mte2_ratio=0.79)
    [core] = cores_of(moved, least_ratio=0.8)
    assert core.verdict == (
        "no unit leads: the busiest is mte2 79.0 %, none works 80.0 % of the time"
    )
    [core] = cores_of(moved, least_ratio=0.79)
    assert core.verdict.startswith("led by mte2")
    [core] = cores_of(moved)
    assert (core.leads, core.verdict) == (False, "the busiest is mte2 79.0 %")
    [still] = cores_of(kernel(aiv_time=10, aiv_vec_ratio=0.0))
    assert still.verdict == "no unit of the core was busy for a measurable time"


def test_times_of_units_are_those_of_the_file_where_it_gives_them() -> None:
    metrics = [KernelMetricsRow("aic_mac_time(us)", 52.041)]
    [core] = cores_of(kernel(aicore_time=341_388, aic_mac_ratio=0.152, aic_mte2_ratio=0.5), metrics)
    durs = {phase.pipe.name: phase.dur for phase in core.phases}
    assert (durs["mac"], durs["mte2"], durs["scalar"]) == (52_041, 170_694, None)


@given(st.integers(0, 2**62), st.floats(0, 1))
def test_a_part_is_never_longer_than_the_whole(dur: int, share: float) -> None:
    assert 0 <= part_of(dur, share) <= dur
    assert part_of(dur, 1.0) == dur


@given(st.floats(0, 1), st.integers(47, 200))
def test_the_line_of_a_unit_ends_its_bar_where_the_core_time_ends(busy: float, width: int) -> None:
    [core] = cores_of(kernel(aicore_time=1000, aic_mac_ratio=busy))
    rows = [row_text(pipe_row(phase, width, LOOK)) for phase in core.phases]
    assert len({row.index("│") for row in rows}) == 1
    assert all(cell_len(row) <= width for row in rows)


@given(st.text(max_size=30))
def test_args_that_are_no_object_are_kept_as_text(text: str) -> None:
    assert "".join(arg.value for arg in args_of(json.dumps({"a": {"b": text}}))) == "".join(
        text.splitlines()
    )
    if text and not text.startswith("{"):
        assert args_of(text) == [Arg("args", "text", text)]


def test_hostile_args_are_kept_as_text() -> None:
    deep = '{"a":' * 100_000
    assert args_of(deep) == [Arg("args", "text", deep)]
    assert args_of('{"n": 1.50, "big": 123456789012345678901234567890}') == [
        Arg("args", "n", "1.50"),
        Arg("args", "big", "123456789012345678901234567890"),
    ]
    [nested] = args_of('{"l": [1.50, "a", {"b": null}]}')
    assert nested.value == '[1.50, "a", {"b": null}]'
    assert args_of(None) == []


@given(
    st.lists(st.tuples(st.text("ab ", max_size=9), st.text("xy", max_size=40)), max_size=8),
    st.integers(20, 120),
)
def test_facts_that_flow_keep_to_the_width_and_lose_none(
    given_: list[tuple[str, str]], width: int
) -> None:
    facts = [Fact(label, said) for label, said in given_]
    lines = fact_lines(facts, width, LOOK, compact=True)
    assert all(cell_len(row_text(line)) <= width for line in lines)
    assert len(lines) <= len(facts)


@given(st.lists(st.text("ab名", max_size=6), max_size=5), st.integers(0, 20))
def test_a_line_is_made_exactly_as_wide_as_its_column(texts: list[str], width: int) -> None:
    line = exactly([Run(text, Role.PLAIN) for text in texts], width)
    assert cell_len(row_text(line)) == width
