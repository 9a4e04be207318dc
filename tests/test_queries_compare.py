"""Two runs held against each other: medians, noise, operators, gaps and settings."""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import get_args, get_type_hints

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import MadeUp
from pair_build import MS, Made, ask_pair, maker, pair_row_type, stepped
from store_build import StoreBuilder, three_ranks

from npuview.ingest.errors import UsageError
from npuview.ingest.schema import TABLES
from npuview.ingest.store import Store
from npuview.queries.catalog import checked_query
from npuview.queries.comparison import compare
from npuview.queries.engine import connect, lock
from npuview.queries.errors import QueryError
from npuview.queries.pair import FOLDER, PairSession, pair_macros, pair_queries
from npuview.queries.result import described
from npuview.queries.views import empty_views, shared_views
from npuview.tui.compare.reason_words import reason_words

PYTHON_TYPES = {"BIGINT": int, "DOUBLE": float, "VARCHAR": str, "BOOLEAN": bool}


@pytest.fixture(scope="module")
def made(made_up: MadeUp) -> Made:
    return maker(made_up)


@pytest.fixture(scope="module")
def empty() -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(threads=1) as connection:
        for schema in ("main", "base", "test"):
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            for statement in empty_views(schema):
                connection.execute(statement)
        for statement in pair_macros():
            connection.execute(statement)
        lock(connection)
        yield connection


def uses(sql: str, macro: str) -> bool:
    """Tell whether a question calls the macro that a statement makes."""
    [name] = re.findall(r"^CREATE MACRO (\w+)\(", macro, re.MULTILINE)
    return f"{name}(" in sql


@pytest.mark.parametrize("name", pair_queries())
def test_the_header_of_a_question_of_two_stores_is_what_duckdb_makes_of_it(
    name: str, empty: duckdb.DuckDBPyConnection
) -> None:
    query = pair_queries()[name]
    assert query.title
    assert query.about
    assert all(parameter.about for parameter in query.params)
    assert checked_query(empty, query.sql, f"{name}.sql", "shipped") == query
    assert described(empty, query.sql, query.bind({}), name) == query.columns
    macros = [text for text in pair_macros() if uses(query.sql, text)]
    named = set(re.findall(r"\b(?:base|test)\.(\w+)", "\n".join((query.sql, *macros))))
    assert named & {*TABLES, *shared_views()} == set(query.needs)


@pytest.mark.parametrize("name", pair_queries())
def test_a_question_of_two_stores_has_a_row_type_with_its_columns(name: str) -> None:
    fields = get_type_hints(pair_row_type(name))
    columns = pair_queries()[name].columns
    assert [field.rstrip("_") for field in fields] == [column.name for column in columns]
    for column, hint in zip(columns, fields.values(), strict=True):
        named = {one for one in get_args(hint) if one is not type(None)} or {hint}
        assert named == {PYTHON_TYPES[column.type]}, column


def test_sql_of_two_stores_keeps_to_80_columns() -> None:
    for file in FOLDER.rglob("*.sql"):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            assert len(line) <= 80, f"{file.name}:{number}"


def test_nothing_but_the_two_stores_can_be_read(tmp_path: Path) -> None:
    stores = [stepped(tmp_path / name, {"computing": [1]}) for name in ("a", "b")]
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with PairSession(*stores) as session:
        assert session.sql("SELECT count(*) FROM base.step, test.step").rows == [(1,)]
        with pytest.raises(QueryError, match="Permission"):
            session.sql(f"FROM read_csv('{secret}')")
        with pytest.raises(QueryError):
            session.sql("DELETE FROM base_rank0.main.step")


def test_a_run_is_not_compared_with_itself(tmp_path: Path) -> None:
    store = stepped(tmp_path, {"computing": [1]})
    with pytest.raises(UsageError, match="both sides are the same profile"):
        PairSession(store, Store.open(store.path))


def test_stores_of_other_ranks_stand_side_by_side(tmp_path: Path) -> None:
    one = stepped(tmp_path / "one", {"computing": [1]})
    with PairSession(one, three_ranks(tmp_path / "three")) as session:
        assert session.sql("SELECT count(*) FROM base.slice").rows == [(0,)]
        assert session.sql("SELECT count(*) FROM test.slice").rows == [(12,)]
        assert session.sql("SELECT rank FROM base.profile").rows == [(0,)]


def test_the_median_step_counts_and_warm_up_does_not(tmp_path: Path) -> None:
    base = stepped(
        tmp_path / "a", {"computing": [90, 10, 11, 12, 40], "idle": [0, 5, 5, 5, 5]}, warm=[1]
    )
    test = stepped(tmp_path / "b", {"computing": [10, 11, 12], "idle": [1, 1, 1]})
    period, computing, idle = ask_pair(base, test, "figures")
    assert (period.figure, period.base_steps, period.test_steps) == ("period", 4, 3)
    assert (period.base_dur, period.test_dur) == (16 * MS, 12 * MS)
    assert (computing.base_dur, computing.test_dur, computing.difference) == (11 * MS, 11 * MS, 0)
    assert (idle.base_dur, idle.difference, idle.change_share) == (5 * MS, -4 * MS, -0.8)
    assert (idle.base_spread_ns, idle.verdict) == (0, "better")


def test_figures_of_ranks_are_the_mean_of_each_step(tmp_path: Path) -> None:
    base = stepped(tmp_path / "a", {"computing": [10] * 3}, ranks=(0, 1))
    test = stepped(tmp_path / "b", {"computing": [10] * 3}, ranks=(0, 1, 2))
    for row in ask_pair(base, test, "figures"):
        assert (row.base_steps, row.base_dur, row.test_dur) == (3, 10 * MS, 10 * MS)


def test_a_state_that_a_run_never_was_in_took_none_of_its_time(tmp_path: Path) -> None:
    base = stepped(tmp_path / "a", {"computing": [10] * 3})
    test = stepped(tmp_path / "b", {"computing": [10] * 3, "waiting_peer": [2] * 3})
    waiting = ask_pair(base, test, "figures")[-1]
    assert (waiting.figure, waiting.base_dur, waiting.difference) == ("waiting_peer", 0, 2 * MS)
    assert (waiting.change_share, waiting.verdict) == (None, "worse")


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_too_few_steps_tell_nothing(steps: int, tmp_path: Path) -> None:
    base = stepped(tmp_path / "a", {"computing": [10] * steps})
    test = stepped(tmp_path / "b", {"computing": [20] * 5})
    for row in ask_pair(base, test, "figures"):
        assert (row.base_steps, row.verdict, row.noise_ns) == (steps, "unknown", None)
        assert (row.base_spread_ns is None) == (steps < 2)
    one = ask_pair(test, stepped(tmp_path / "c", {"computing": [10] * 5}), "figures", step=2)
    assert [row.verdict for row in one] == ["unknown", "unknown"]


SMALL = [1.0, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107]


def spread(values: list[int]) -> tuple[int, float, float]:
    """Return the lower median, the deviation from it, and the error that this makes likely."""
    count = len(values)
    middle = sorted(values)[(count - 1) // 2]
    away = median(abs(value - middle) for value in values)
    factor = SMALL[count - 1] if count < 10 else count / (count - 0.8)
    return middle, away, 1.2533 * 1.4826 * away * factor / math.sqrt(count)


STEPS = st.lists(st.integers(1, 10**12), min_size=3, max_size=14)


@given(base=STEPS, test=STEPS)
def test_the_band_of_noise_is_three_standard_errors(
    empty: duckdb.DuckDBPyConnection, base: list[int], test: list[int]
) -> None:
    (before, away, error), (now, other_away, other_error) = spread(base), spread(test)
    floor = before // 100
    [(band, said)] = empty.execute(
        "SELECT noise_band($a, $n, $b, $m, $floor) AS band, verdict($change::BIGINT, band)",
        {"a": away, "n": len(base), "b": other_away, "m": len(test), "floor": floor,
         "change": now - before},
    ).fetchall()  # fmt: skip
    wanted = max(3 * math.hypot(error, other_error), floor)
    assert abs(band - wanted) <= 1 + wanted * 1e-9
    if abs(now - before) > band:
        assert said == ("worse" if now > before else "better")
    else:
        assert said == "insignificant"


def operators(folder: Path, *steps: dict[str, tuple[int, int]]) -> Store:
    """Write a store whose steps call operators so many times, in so many ns altogether."""
    built = StoreBuilder(folder).rank(0)
    for at, called in enumerate(steps):
        built.add(
            "step", step=at, source="x", kind="train", inferred=False, ts=at * MS, dur=MS
        )  # fmt: skip
        for type_, (count, total) in called.items():
            built.add(
                "operator_total", step=at, name=f"aclnn{type_}", type=type_, core="AI_CORE",
                count=count, total=total,
            )  # fmt: skip
    return built.build()


def test_operators_are_new_gone_and_changed_by_their_time_in_a_step(tmp_path: Path) -> None:
    base = operators(tmp_path / "a", *[{"MatMul": (2, 4_000), "Cast": (3, 900)}] * 3)
    test = operators(tmp_path / "b", *[{"MatMul": (2, 2_000), "Relu": (1, 50)}] * 4)
    rows = ask_pair(base, test, "operators")
    assert [(row.name, row.presence, row.difference) for row in rows] == [
        ("MatMul", "both", -2_000),
        ("Cast", "gone", -900),
        ("Relu", "new", 50),
    ]
    matmul, cast, relu = rows
    assert (matmul.base_count, matmul.test_count) == (6, 8)
    assert (matmul.base_calls, cast.base_calls, cast.test_calls) == (2.0, 3.0, 0.0)
    assert (matmul.base_avg_ns, matmul.test_avg_ns) == (2_000, 1_000)
    assert (matmul.verdict, matmul.change_share) == ("better", -0.5)
    assert (cast.test_total, cast.test_avg_ns, cast.change_share) == (0, None, -1.0)
    # What takes less than 0.01 % of the period is not worth a verdict.
    assert (relu.noise_ns, relu.verdict) == (100, "insignificant")
    [named] = ask_pair(base, test, "operators", by="name", prefix="aclnnC")
    assert named.name == "aclnnCast"


def test_a_map_says_which_operators_one_stands_for(tmp_path: Path) -> None:
    base = operators(tmp_path / "a", *[{"A": (1, 40_000), "B": (1, 60_000), "C": (1, 5)}] * 3)
    test = operators(tmp_path / "b", *[{"AB": (1, 70_000), "B": (1, 10_000), "C": (1, 5)}] * 3)
    whole, other = ask_pair(base, test, "operators", map='{"AB": ["A", "B"]}')
    assert (whole.name, whole.presence, whole.parts, whole.core) == (
        "AB",
        "mapped",
        "A, AB, B",
        None,
    )
    assert (whole.base_dur, whole.test_dur, whole.verdict) == (100_000, 80_000, "better")
    assert (other.name, other.presence, other.verdict) == ("C", "both", "insignificant")


def test_an_operator_with_as_many_calls_as_others_have_fewer_may_stand_for_them(
    tmp_path: Path,
) -> None:
    base = operators(tmp_path / "a", *[{"A": (4, 40), "B": (6, 60), "C": (9, 5)}] * 3)
    test = operators(tmp_path / "b", *[{"AB": (4, 70), "B": (2, 20), "C": (8, 5)}] * 2)
    rows = ask_pair(base, test, "fusions")
    assert [(row.name, row.part, row.calls) for row in rows] == [("AB", "A", 4), ("AB", "B", 4)]
    with PairSession(base, test) as session:
        [guess] = compare(session).guessed
        assert (guess.name, guess.parts) == ("AB", "A, AB, B")
        assert compare(session, mapped={"AB": ["A"]}).guessed == []


@pytest.mark.parametrize(("many", "guesses"), [(16, 16 * 16), (17, 0), (2_000, 0)])
def test_counts_that_many_operators_share_say_nothing(
    many: int, guesses: int, tmp_path: Path
) -> None:
    base = operators(tmp_path / "a", {f"A{at}": (1, 9) for at in range(many)})
    test = operators(tmp_path / "b", {f"B{at}": (1, 9) for at in range(many)})
    assert len(ask_pair(base, test, "fusions")) == guesses


def test_an_operator_that_falls_to_pieces_is_told(tmp_path: Path) -> None:
    base = operators(tmp_path / "a", *[{"Add": (10, 900), "Mul": (10, 900), "A": (3, 9)}] * 3)
    test = operators(tmp_path / "b", *[{"Add": (20, 900), "Mul": (19, 900), "B": (9, 9)}] * 4)
    with PairSession(base, test) as session:
        [one] = compare(session).called_more
    assert (one.name, one.base_calls, one.test_calls) == ("Add", 10.0, 20.0)


def test_gaps_are_counted_by_cause_and_the_longest_is_told(tmp_path: Path) -> None:
    def store(name: str, longest: int) -> Store:
        built = StoreBuilder(tmp_path / name).rank(0)
        for at in range(3):
            built.add("step", step=at, source="x", kind="train", inferred=False, ts=at, dur=100)
            built.add("ledger", device_id=0, step=at, state="idle", dur=100)
            for cause, count in (("gc", 2), (None, 1)):
                built.add(
                    "gap_total", device_id=0, step=at, kind="device", cause=cause, count=count,
                    total=longest + 3, longest=longest + at,
                )  # fmt: skip
        built.add("gap_total", kind="compute", step=1, cause="gc", count=9, total=9, longest=9)
        built.add("gap_total", kind="device", cause="gc", count=9, total=999, longest=999)
        return built.build()

    every, *causes = ask_pair(store("a", 40), store("b", 10), "gaps")
    assert (every.scope, every.base_count, every.base_longest_ns) == ("all", 9, 42)
    assert (every.base_dur, every.test_dur, every.verdict) == (86, 26, "better")
    assert [(row.cause, row.base_count, row.test_longest_ns) for row in causes] == [
        ("gc", 6, 12),
        (None, 3, 12),
    ]


def test_settings_that_differ_come_first(tmp_path: Path) -> None:
    def store(name: str, level: str, switches: str) -> Store:
        built = StoreBuilder(tmp_path / name).rank(0)
        return built.add(
            "profile", rank_known=True, producer="torch_npu", level=level, world_size=8,
            versions='{"cann": "8.0"}', switches=switches,
        ).build()  # fmt: skip

    base = store("a", "Level1", '{"_l2_cache": true, "_profiler_level": "Level1"}')
    test = store("b", "Level2", '{"_mstx": false, "_profiler_level": "Level2"}')
    rows = ask_pair(base, test, "settings")
    assert [(row.setting, row.base, row.test) for row in rows if row.changed] == [
        ("level", "Level1", "Level2"),
        ("switch _l2_cache", "true", None),
        ("switch _mstx", None, "false"),
    ]
    assert [(row.setting, row.base) for row in rows if not row.changed] == [
        ("producer", "torch_npu"),
        ("ranks", "1"),
        ("version cann", "8.0"),
        ("world_size", "8"),
    ]


def test_a_check_that_is_gone_makes_steps_as_much_shorter_as_made_up(made: Made) -> None:
    with PairSession(made("host_bound"), made("pipelined")) as session:
        found = compare(session)
    period, gaps, bottleneck = found.period, found.all_gaps, found.bottleneck
    assert period is not None
    assert gaps is not None
    assert bottleneck is not None
    assert (period.base_dur, period.test_dur, period.verdict) == (410 * MS, 368 * MS, "better")
    assert f"{period.change_share:.1%}" == "-10.2%"
    assert (gaps.base_longest_ns, gaps.test_longest_ns) == (2_100_000, 500_000)
    assert (bottleneck.name, bottleneck.fate) == ("idle host_sync", "moved")
    assert found.changed_settings == []


def test_the_same_job_run_again_shows_no_significant_change(made: Made) -> None:
    for scenario in ("healthy", "dataloader"):
        with PairSession(made(scenario), made(scenario, 7)) as session:
            found = compare(session)
        assert found.period is not None
        assert found.period.difference != 0
        told = [*found.figures, *(row for row in found.gaps if row.scope == "all")]
        assert {row.verdict for row in told} == {"insignificant"}, scenario
        assert not any(row.presence in {"new", "gone"} for row in found.operators)


def test_kernels_that_were_fused_are_held_against_their_sum(made: Made) -> None:
    with PairSession(made("transposes"), made("transposes_fused")) as session:
        found = compare(session)
    assert found.period is not None
    assert found.period.change_share == -0.12
    own = [row for row in found.operators if row.core != "COMMUNICATION"]
    before, now = (sum(getattr(row, side) for row in own) for side in ("base_dur", "test_dur"))
    [fused] = found.guessed
    assert fused.parts == "Cast, Transpose, TransposeCast"
    assert fused.base_dur is not None
    assert fused.test_dur is not None
    assert (round(fused.base_dur / before, 2), round(fused.test_dur / now, 2)) == (0.3, 0.12)
    assert (fused.verdict, found.slower_fusions) == ("better", [])


def test_a_fused_kernel_that_is_slower_than_its_parts_is_told(made: Made) -> None:
    with PairSession(made("transposes"), made("fused_slower")) as session:
        [guessed] = compare(session).slower_fusions
        mapped = compare(session, mapped={"TransposeCast": ["Transpose", "Cast"]})
    assert guessed.difference is not None
    assert guessed.base_dur is not None
    assert round(guessed.difference / guessed.base_dur, 2) == 0.15
    assert [row.name for row in mapped.slower_fusions] == ["TransposeCast"]
    assert mapped.guessed == []


Call = tuple[str, str | None, int]
"""A kernel of a step: its type, its shapes, and its length in ns."""


def called(folder: Path, calls: list[Call], *, mhz: float | None = None) -> Store:
    """Write a store of three steps that make the same calls of kernels."""
    built = StoreBuilder(folder).rank(0)
    for step in range(3):
        built.add(
            "step", step=step, source="x", kind="train", inferred=False, ts=step * MS, dur=MS
        )  # fmt: skip
        for number, (type_, shapes, dur) in enumerate(calls):
            built.add(
                "kernel", kernel_id=step * 100 + number, step=step, name=type_, type=type_,
                core="AI_CORE", ts=step * MS + number, dur=dur, input_shapes=shapes, mhz=mhz,
            )  # fmt: skip
        for type_ in {one for one, *_ in calls}:
            durs = [dur for one, _, dur in calls if one == type_]
            built.add(
                "operator_total", step=step, name=type_, type=type_, core="AI_CORE",
                count=len(durs), total=sum(durs),
            )  # fmt: skip
    return built.build()


@pytest.mark.parametrize(
    ("before", "after", "why", "parts"),
    [
        ([("Mul", "8", 100)], [("Mul", "8", 100)] * 2, "calls", (100, 0, 0)),
        ([("Mul", "8", 100)] * 2, [("Mul", "8", 150)] * 2, "length", (0, 0, 100)),
        ([("Mul", "8", 100)] * 2, [("Mul", "9", 150)] * 2, "shapes", (0, 100, 0)),
        ([("Mul", None, 100)] * 2, [("Mul", None, 150)] * 2, "call", (0, 0, 100)),
        ([("Mul", "8", 100)] * 2, [("Mul", "8", 150)] * 3, "several", (100, 0, 150)),
        ([("Mul", "8", 100)], [("Mul", "8", 100)], "same", (0, 0, 0)),
        ([("Add", "8", 100)], [("Mul", "8", 100)], "new", (100, 0, 0)),
        ([("Mul", "8", 100)], [("Add", "8", 100)], "gone", (-100, 0, 0)),
    ],
)
def test_a_change_is_told_by_calls_by_shapes_or_by_the_length_of_calls(
    before: list[Call],
    after: list[Call],
    why: str,
    parts: tuple[int, int, int],
    tmp_path: Path,
) -> None:
    base, test = called(tmp_path / "a", before), called(tmp_path / "b", after)
    [row] = [one for one in ask_pair(base, test, "reasons") if one.name == "Mul"]
    assert row.why == why
    assert (row.calls_ns, row.shapes_ns, row.length_ns) == parts
    assert row.difference == sum(parts)


calls = st.lists(
    st.tuples(
        st.sampled_from(["Mul", "Add"]),
        st.sampled_from(["8", "9", "7,7", None]),
        st.integers(0, 10**9),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=15, deadline=None)
@given(before=calls, after=calls)
def test_what_explains_a_change_sums_up_to_it(
    tmp_path_factory: pytest.TempPathFactory, before: list[Call], after: list[Call]
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    base, test = called(folder / "a", before), called(folder / "b", after)
    for row in ask_pair(base, test, "reasons"):
        whole = [
            sum(dur for type_, _, dur in side if type_ == row.name) for side in (before, after)
        ]
        assert row.difference == whole[1] - whole[0]
        parts = row.calls_ns + row.shapes_ns + row.length_ns
        assert abs(parts - row.difference) <= 3


def test_an_operator_that_went_to_another_core_is_told(tmp_path: Path) -> None:
    stores: list[Store] = []
    for folder, core in (("a", "AI_VECTOR_CORE"), ("b", "AI_CPU")):
        built = StoreBuilder(tmp_path / folder).rank(0)
        built.add("step", step=1, source="x", kind="train", inferred=False, ts=0, dur=MS)
        built.add(
            "operator_total", step=1, name="Unique", type="Unique", core=core, count=1, total=9
        )
        stores.append(built.build())
    base, test = stores
    rows = ask_pair(base, test, "reasons")
    assert {(row.core, row.why, row.other_core) for row in rows} == {
        ("AI_VECTOR_CORE", "core", "AI_CPU"),
        ("AI_CPU", "core", "AI_VECTOR_CORE"),
    }


def test_the_frequency_is_told_where_it_fell_as_calls_of_the_same_shapes_became_longer(
    tmp_path: Path,
) -> None:
    base = called(tmp_path / "a", [("Mul", "8", 100_000)], mhz=1800)
    slow = called(tmp_path / "b", [("Mul", "8", 150_000)], mhz=1200)
    for one, other, said in (
        (base, slow, "longer calls, 100 µs -> 150 µs on average, while the cores went from 1,800"),
        (slow, base, "shorter calls, 150 µs -> 100 µs on average, while the cores went from 1,200"),
    ):
        with PairSession(one, other) as session:
            found = compare(session)
        [row] = found.operators
        told = reason_words(row, found)
        assert told.startswith(said)
        assert told.endswith("MHz, of the same shapes")


def test_gaps_of_a_cause_are_more_or_longer(tmp_path: Path) -> None:
    stores: list[Store] = []
    for folder, (many, each) in (("a", (2, 100)), ("b", (8, 100)), ("c", (2, 300))):
        built = StoreBuilder(tmp_path / folder).rank(0)
        built.add("step", step=1, source="x", kind="train", inferred=False, ts=0, dur=MS)
        built.add("ledger", step=1, device_id=0, state="idle", cause="gc", dur=many * each)
        built.add(
            "gap_total", step=1, device_id=0, kind="device", cause="gc", count=many,
            total=many * each, longest=each,
        )  # fmt: skip
        stores.append(built.build())
    base, more, longer = stores
    for test, why, parts in ((more, "calls", (600, 0)), (longer, "length", (0, 400))):
        [row] = ask_pair(base, test, "reasons")
        assert (row.what, row.name, row.why) == ("gap", "gc", why)
        assert (row.calls_ns, row.length_ns) == parts
