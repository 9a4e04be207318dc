"""Top and calls: the operators with the most time, and every call of one of them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_store import builder, kernel_store
from row_build import row
from screen import opened
from store_build import StoreBuilder, Value

from npuview.ingest.store import Store
from npuview.tui.draw.core import look_of_core
from npuview.tui.draw.histogram import histogram, place_in
from npuview.tui.draw.look import Look
from npuview.tui.draw.numbers import NOT_MEASURED
from npuview.tui.draw.pipe_rows import ramp_cells
from npuview.tui.draw.role import Role
from npuview.tui.focus import OperatorKey
from npuview.tui.kernel.tensors import Tensors, shapes_text, tensors, types_text
from npuview.tui.process.display import Display
from npuview.tui.views.top_operator import GROUPINGS, Grouping, Operator

NARROW = (80, 24)
WIDE = (160, 45)
SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return kernel_store(tmp_path_factory.mktemp("kernels"))


async def test_operators_stand_in_the_order_of_their_time_with_bars(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3")
        rows = screen.rows()
        names = ("hcom_allReduce__1_0", "MatMulV2", "很长")
        places = [next(y for y, row in enumerate(rows) if name in row) for name in names]
        assert places == sorted(places)
        assert "2.00 ms  ████████" in screen.row_with("hcom_allReduce")
        assert "1.60 ms  ██████▍" in screen.row_with("MatMulV2")


async def test_on_the_smallest_screen_no_column_is_cut(store: Store) -> None:
    async with opened(store, size=(60, 15)) as screen:
        await screen.press("3")
        assert screen.row_with("operator  ").endswith((" of step", " of steps"))
        assert screen.row_with("▌ N").endswith(" %")
        await screen.press("enter")
        assert screen.row_with("of median").endswith("waited")


async def test_collectives_are_no_kernel_time(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3")
        assert screen.row_with("hcom_allReduce__1_0").endswith(NOT_MEASURED)
        assert "97.0 %" in screen.row_with("aclnnMm_MatMulV2")
        assert "9 kernels   1.65 ms kernel time" in screen.text()
        assert "N collectives 2.00 ms" in screen.text()
        assert "a collective: no kernel time" in screen.rows()[-2]


async def test_the_sums_above_the_table_are_the_same_in_all_groupings(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3")
        titles: list[str] = []
        for _ in GROUPINGS:
            titles.append(screen.row_with("most time first"))
            assert "9 kernels   1.65 ms kernel time" in screen.text()
            assert "C cube 1.60 ms" in screen.row_with("N collectives 2.00 ms")
            await screen.press("T")
        assert len({title.split()[1] for title in titles}) == len(GROUPINGS)


async def test_sums_by_core_come_with_their_letters(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3")
        assert "C cube 1.60 ms" in screen.text()
        assert "p AI CPU 50.0 µs" in screen.text()


async def test_types_are_listed_in_the_place_of_operators_and_back(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3", "T")
        assert "Types  3 types" in screen.text()
        assert "MatMulV2" in screen.text()
        assert "aclnnMm" not in screen.text()
        await screen.press("T", "T", "T", "T", "T")
        assert "Operators  3 operators" in screen.text()


@pytest.mark.parametrize(
    ("presses", "title", "row"),
    [
        (2, "Cores  3 cores", "AI_CORE "),
        (3, "Shapes  3 shapes", "MatMulV2  32,9216  4096,9216 "),
        (4, "Data types  3 data types", "MatMulV2  FLOAT"),
        (5, "Streams  ", "not collected"),
    ],
)
async def test_calls_are_grouped_by_what_the_key_turns_to(
    store: Store, presses: int, title: str, row: str
) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", *["T"] * presses)
        assert title in screen.text()
        assert row in screen.text()


async def test_calls_of_a_shape_are_those_that_read_it(tmp_path: Path) -> None:
    built = builder(tmp_path)
    built.add(
        "kernel", kernel_id=50, step=1, name="mm", type="MatMulV2", core="AI_CORE", ts=9, dur=9,
        input_shapes="1,2;2,3", stream_id=7,
    )  # fmt: skip
    store = built.build()
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "T", "T", "T", "j", "j", "j", "enter")
        assert "MatMulV2 1,2;2,3  1 call " in screen.text()
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "T", "T", "T", "T", "T", "j", "j", "enter")
        assert "stream 7  1 call " in screen.text()


async def test_a_wide_screen_has_the_spread_and_the_length_of_most_calls(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3")
        assert "p95" in screen.row_with("max/min")
        assert "  900 µs    900 µs     9.0 x" in screen.row_with("aclnnMm_MatMulV2")
        await screen.press("o")
        while "widest spread first" not in screen.text():
            await screen.press("o")
        assert "MatMulV2" in screen.rows()[6]


async def test_o_sorts_and_the_rule_says_by_what(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3", "o")
        assert "by name" in screen.text()
        await screen.press("o")
        assert "most calls first" in screen.text()
        assert "MatMulV2" in screen.row_with("▌")


async def test_enter_opens_the_calls_and_esc_comes_back(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "j", "enter")
        assert "8 calls   min 100 µs   median 100 µs   max 900 µs" in screen.text()
        await screen.press("escape")
        assert "▌ C  aclnnMm_MatMulV2" in screen.text()


async def test_calls_of_a_type_are_those_of_all_its_names(tmp_path: Path) -> None:
    built = builder(tmp_path)
    built.add(
        "kernel", kernel_id=50, step=1, name="other", type="MatMulV2", core="AI_CORE", ts=9, dur=9
    )
    async with opened(built.build(), size=WIDE) as screen:
        await screen.press("3", "T", "j", "enter")
        assert "MatMulV2  9 calls   min 9 ns" in screen.text()


async def test_outliers_among_the_calls_are_counted_and_told_against_the_median(
    store: Store,
) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "j", "enter")
        assert "1 outlier over 200 µs" in screen.text()
        assert "! 9.0 x" in screen.row_with("▌")
        assert "not explained" in screen.row_with("▌")
        assert "neither shapes nor a conversion before it" in screen.rows()[-2]
        await screen.press("j")
        assert "  1.0 x" in screen.row_with("▌")
        assert "outlier" not in screen.rows()[-2]


@pytest.mark.parametrize(
    ("values", "why", "said"),
    [
        ({"input_shapes": "7777,1"}, "its shapes", "outlier, and the only call of its shapes"),
        ({}, "after Cast", "right after Cast 3 ns, not by its shapes"),
    ],
)
async def test_an_outlier_says_what_explains_it(
    values: dict[str, Value], why: str, said: str, tmp_path: Path
) -> None:
    built = StoreBuilder(tmp_path).rank(0)
    built.add("profile", rank_known=True, producer="x", name="x", path="x", clock="boot")
    built.add("step", step=1, source="x", kind="train", inferred=False, ts=0, dur=9_000_000)
    kernels = [("Mul", 100_000, at * 200_000) for at in range(6)]
    kernels += [("Cast", 3, 1_999_990), ("Mul", 900_000, 2_000_000)]
    for number, (type_, dur, ts) in enumerate(kernels):
        more = values if dur == 900_000 else {}
        built.add(
            "kernel", kernel_id=number, device_id=0, step=1, name=type_, type=type_, core="AIV",
            ts=ts, dur=dur, stream_id=2, **{"input_shapes": "8,8", **more},
        )  # fmt: skip
    built.add(
        "operator_total", step=1, name="Mul", type="Mul", core="AIV", count=7, total=1_500_000
    )
    async with opened(built.build(), size=WIDE) as screen:
        await screen.press("3", "enter")
        assert why in screen.row_with("▌")
        assert said in screen.rows()[-2]


async def test_units_of_the_core_are_cells_under_their_letters(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "j", "enter")
        heading, call = screen.row_with("m 1 2 f s"), screen.row_with("▌")
        at = heading.index("m 1 2 f s")
        assert call[at : at + 9] == "▁ ▂ ▇   ▂"


async def test_calls_are_filtered_by_shape(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "j", "enter", "ampersand")
        await screen.type("7777\n")
        assert "holds '7777'" in screen.text()
        await screen.press("escape")
        assert "8 calls" in screen.text()


async def test_another_operator_is_shown_from_its_longest_call_on_without_the_filter(
    store: Store,
) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("3", "j", "enter", "j", "j", "ampersand")
        await screen.type("9216\n")
        assert "call 3 of 8" in screen.rows()[-2]
        await screen.press("escape", "escape", "k", "enter", "escape", "j", "enter")
        assert "call 1 of 8" in screen.rows()[-2]


async def test_search_goes_to_the_next_operator_of_a_name(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3", "slash")
        await screen.type("matmul\n")
        assert "MatMulV2" in screen.row_with("▌")


async def test_at_80_columns_main_number_and_bar_are_there(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3", "j", "enter")
        assert "900 µs  ████████" in screen.row_with("▌")
        assert all(len(row) <= 80 for row in screen.rows())


async def test_a_kernel_that_only_the_table_has_can_be_opened(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("3", "j", "j", "enter", "enter")
        assert "not on the timeline" in screen.text()
        assert "很长" in screen.text()


async def test_without_kernels_there_is_a_sentence(tmp_path: Path) -> None:
    built = StoreBuilder(tmp_path).rank(0)
    built.add("profile", rank_known=True, producer="chrome", name="x", path="x", clock="boot")
    async with opened(built.build(), size=NARROW) as screen:
        await screen.press("3")
        assert "No operator in this profile" in screen.text()
        await screen.press("enter", "T", "o", "y")


async def test_kernels_outside_the_only_step_are_shown_as_such(tmp_path: Path) -> None:
    built = StoreBuilder(tmp_path).rank(0)
    built.add("profile", rank_known=True, producer="msprof", name="x", path="x", clock="boot")
    built.add("step", step=1, source="x", kind="train", inferred=False, ts=100, dur=10)
    built.add("operator_total", name="Add", core="AIV", count=1, total=9, min=9, max=9)
    built.add("kernel", kernel_id=1, name="Add", core="AIV", ts=5, dur=9)
    async with opened(built.build(), size=NARROW) as screen:
        await screen.press("3")
        assert "outside step 1" in screen.text()
        await screen.press("enter")
        assert "Add  1 call   the run   min 9 ns" in screen.text()


async def test_in_a_step_without_kernels_the_step_is_named(tmp_path: Path) -> None:
    built = builder(tmp_path)
    built.add(
        "step", step=2, source="x", kind="train", inferred=False, ts=11_000_000, dur=1_000_000
    )
    async with opened(built.build(), size=NARROW) as screen:
        screen.app.move(screen.app.place.at_step(2))
        await screen.press("3")
        assert "No operator ran in step 2." in screen.text()


async def test_at_ascii_level_there_is_nothing_else(store: Store) -> None:
    async with opened(store, size=NARROW, display=Display(glyphs="ascii")) as screen:
        await screen.press("3", "j")
        body = "\n".join(screen.rows()[1:-2])
        assert "#######" in body
        assert "MatMulV2" in body
        assert body.isascii()


@given(SHARES)
def test_only_a_unit_that_is_always_busy_has_a_full_cell(shares: list[float]) -> None:
    look = Look("unicode", color=True)
    cells = ramp_cells(shares, look)[::2]
    for share, cell in zip(shares, cells, strict=True):
        assert (cell == look.signs.full) == (share == 1)
        assert (cell == " ") == (share == 0)


def test_what_was_not_measured_is_a_question_mark() -> None:
    assert ramp_cells([None, 0.5], Look("unicode", color=True)) == "? ▄"


@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=30),
    st.integers(1, 80),
)
def test_every_call_has_a_mark_in_the_histogram(durs: list[int], cells: int) -> None:
    parts = 240
    least, most = min(durs), max(durs)
    counts: dict[int, int] = {}
    for dur in durs:
        part = (dur - least) * parts // (most - least + 1)
        counts[part] = counts.get(part, 0) + 1
    drawn = histogram(counts, parts, cells, Look("unicode", color=True))
    assert len(drawn) == cells
    assert all(drawn[place_in(dur, least, most, parts, cells)] != " " for dur in durs)
    assert "█" in drawn


@pytest.mark.parametrize(
    ("core", "role", "letter"),
    [
        ("AI_CORE", Role.CUBE, "C"),
        ("MIX_AIV", Role.VECTOR, "V"),
        ("DSA_SQE", Role.VECTOR, "V"),
        ("HCCL", Role.COMMUNICATION, "N"),
        ("AI_CPU", Role.HOST, "p"),
        ("new unit", Role.PLAIN, " "),
        (None, Role.PLAIN, " "),
    ],
)
def test_a_core_has_a_colour_and_a_letter(core: str | None, role: Role, letter: str) -> None:
    assert look_of_core(core) == (role, letter)


def test_tensors_of_one_type_and_format_stand_together() -> None:
    found = tensors("2,3;;4", "FLOAT;FLOAT;DT_BF16", "FORMAT_ND;FORMAT_ND;NCHW")
    assert found == [
        Tensors(("2,3", "[]"), "FLOAT", "ND"),
        Tensors(("4",), "BF16", "NCHW"),
    ]


def test_a_column_with_fewer_tensors_leaves_the_others_unknown() -> None:
    assert tensors("1;2", "INT8", None) == [
        Tensors(("1",), "INT8", "?"),
        Tensors(("2",), "?", "?"),
    ]
    assert tensors(None, None, None) == []


def test_shapes_and_types_that_are_not_there_are_not_collected() -> None:
    assert shapes_text(None, 20) == types_text(None, 20) == "not collected"
    assert shapes_text("2,3;4", 20) == "2,3  4"
    assert types_text("FLOAT;FLOAT;INT8", 20) == "FLOAT INT8"


@pytest.mark.parametrize(
    ("key", "grouping", "title"),
    [
        (OperatorKey("Add0", "Add", "AI_VECTOR_CORE"), "name", "Add0"),
        (OperatorKey("", "Add", "AI_VECTOR_CORE"), "name", "Add"),
        (OperatorKey("", None, "KERNEL_AICPU"), "name", "KERNEL_AICPU"),
        (OperatorKey("", None, None), "name", "not collected"),
        # All kernels of a type are not those of a core.
        (OperatorKey(None, None, "KERNEL_AICPU"), "type", "not collected"),
        (OperatorKey(None, None, "KERNEL_AICPU"), "core", "KERNEL_AICPU"),
        (OperatorKey(None, "Add", "AIV", "2,3;"), "shape", "Add  2,3  []"),
        (OperatorKey(None, "Add", "AIV", None, None), "dtype", "Add  not collected"),
        (OperatorKey(None, None, None), "stream", "not collected"),
    ],
)
def test_an_operator_without_a_name_goes_by_what_is_known(
    key: OperatorKey, grouping: Grouping, title: str
) -> None:
    assert row(Operator, key=key, grouping=grouping).title == title
