"""What the parameters of questions take, and how the head of a question is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.ingest.errors import UsageError
from npuview.ingest.schema import LEDGER_STATES, SLICE_PARTS, TRACK_KINDS
from npuview.ingest.schema.words import STEP_KINDS
from npuview.queries.catalog import shipped_queries
from npuview.queries.errors import PresetError
from npuview.queries.header import read_header
from npuview.queries.query import Parameter, ParameterType, Value


def test_parameters_are_checked_by_name_and_presence() -> None:
    gaps = shipped_queries()["gaps"]
    with pytest.raises(UsageError, match="gaps has no parameter 'stp'; did you mean step"):
        gaps.bind({"stp": 1})
    with pytest.raises(UsageError, match="it takes rank, step, kind"):
        gaps.bind({"zzz": 1})
    with pytest.raises(UsageError, match="profiles has no parameter 'step'; it takes none"):
        shipped_queries()["profiles"].bind({"step": 1})
    with pytest.raises(UsageError, match="search needs a value for: text"):
        shipped_queries()["search"].bind({})
    assert gaps.bind({"step": "50", "limit": None}) == {
        "rank": None, "step": 50, "kind": "device", "cause": None, "min_dur": None, "from_ts": None,
        "to_ts": None, "limit": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("type_", "given_value", "value"),
    [
        ("INTEGER", "50", 50),
        ("INTEGER", " -7 ", -7),
        ("INTEGER", 2**31 - 1, 2**31 - 1),
        ("BIGINT", "1736408883732241564", 1736408883732241564),
        ("DOUBLE", "0.5", 0.5),
        ("DOUBLE", 2, 2.0),
        ("VARCHAR", "50", "50"),
        ("VARCHAR", " a ", " a "),
        ("BOOLEAN", "yes", True),
        ("BOOLEAN", "FALSE", False),
        ("BOOLEAN", True, True),
        ("INTEGER", "", None),
        ("VARCHAR", "", None),
        ("DOUBLE", None, None),
    ],
)
def test_text_becomes_a_value_of_the_parameters_type(
    type_: ParameterType, given_value: object, value: Value
) -> None:
    converted = Parameter("p", type_).value(given_value)
    assert converted == value
    assert type(converted) is type(value)


@pytest.mark.parametrize(
    ("type_", "given_value"),
    [
        ("INTEGER", "5.0"),
        ("INTEGER", "five"),
        ("INTEGER", str(2**31)),
        ("INTEGER", True),
        ("INTEGER", 1.0),
        ("INTEGER", "\u0665"),
        ("INTEGER", "1_000"),
        ("BIGINT", 2**63),
        ("BIGINT", "0x10"),
        ("DOUBLE", "nan"),
        ("DOUBLE", "inf"),
        ("DOUBLE", True),
        ("BOOLEAN", "maybe"),
        ("BOOLEAN", 1),
        ("VARCHAR", 5),
        ("VARCHAR", ["a"]),
        ("VARCHAR", "byte \udcff"),
    ],
)
def test_what_is_no_value_of_the_type_is_refused_with_its_meaning(
    type_: ParameterType, given_value: object
) -> None:
    with pytest.raises(UsageError, match=rf"parameter p: .* is no {type_}; its meaning"):
        Parameter("p", type_, "its meaning").value(given_value)


@pytest.mark.parametrize("question", sorted(shipped_queries()))
def test_no_question_takes_a_negative_number_but_a_place_in_time_or_an_id(question: str) -> None:
    query = shipped_queries()[question]
    needed = {one.name: 1 if one.type != "VARCHAR" else "a" for one in query.params if one.required}
    for one in query.params:
        if one.type not in {"BIGINT", "INTEGER", "DOUBLE"}:
            continue
        given_values = needed | {one.name: "-1"}
        if one.name == "ts" or one.name.endswith(("_ts", "_id")):
            assert query.bind(given_values)[one.name] == -1
        else:
            with pytest.raises(UsageError, match=rf"parameter {one.name}: -1"):
                query.bind(given_values)


def test_a_share_is_no_more_than_all() -> None:
    header = read_header("-- param: least_ratio DOUBLE = 0.8 <= 1  busy share\n", "x.sql")
    [share] = header.params
    assert (share.default, share.about, share.value("1")) == (0.8, "busy share", 1)
    with pytest.raises(UsageError, match=r"parameter least_ratio: 1.01 is more than 1; busy share"):
        share.value("1.01")
    with pytest.raises(PresetError, match=r"parameter p: 2.0 is more than 1"):
        read_header("-- param: p DOUBLE = 2 <= 1  share\n", "x.sql")


def test_a_word_that_is_not_known_is_refused_with_those_that_are() -> None:
    header = read_header(
        "-- param: kind VARCHAR = NULL of\n--          event|notify|peer  such waits\n", "x.sql"
    )
    [kind] = header.params
    assert (kind.words, kind.about) == (("event", "notify", "peer"), "such waits")
    assert (kind.value("peer"), kind.value(None)) == ("peer", None)
    with pytest.raises(UsageError, match=r"kind: notfy is not known; did you mean notify\?"):
        kind.value("notfy")
    with pytest.raises(UsageError, match=r"kind: x is not known; there are event, notify, peer"):
        kind.value("x")
    with pytest.raises(PresetError, match=r"parameter p: c is not known; there are a, b"):
        read_header("-- param: p VARCHAR = 'c' of a|b  letters\n", "x.sql")
    with pytest.raises(PresetError, match=r"parameter p: only a VARCHAR is of words"):
        read_header("-- param: p BIGINT = 1 of 1|2  numbers\n", "x.sql")


def test_the_words_of_questions_are_those_of_the_store() -> None:
    words = {
        (name, one.name): one.words for name, query in shipped_queries().items()
        for one in query.params if one.words
    }  # fmt: skip
    for name in ("slice_near", "at_instant", "depth_cells"):
        assert words[name, "part"] == SLICE_PARTS
    assert words["tracks", "kind"] == TRACK_KINDS
    assert {*words["iterations", "kind"], "run"} == set(STEP_KINDS)
    for name in ("causes", "stalls"):
        assert set(words[name, "state"]) < set(LEDGER_STATES)


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_instant_can_be_given_as_text(number: int) -> None:
    assert Parameter("p", "BIGINT").value(str(number)) == number


@given(st.text(alphabet="-: \n\tabcptiledrnsumo=$',()", max_size=80))
def test_no_text_makes_the_header_reader_fail_in_any_other_way(text: str) -> None:
    try:
        lines = list(read_header(text, "x.sql").lines.values())
    except PresetError as error:
        lines = [error.line]
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


def test_a_header_ends_where_the_sql_begins() -> None:
    header = read_header("-- title: a\nSELECT 1\n-- title: b\n-- parm: x\n", "x.sql")
    assert header.title == "a"


def test_a_header_reads_quoted_defaults_types_with_brackets_and_remarks() -> None:
    header = read_header(
        "-- title: t\n"
        "-- a remark: is not\n"
        "-- param: word VARCHAR = 'it''s  two'  what to look for\n"
        '-- columns: "a" DECIMAL(18,3), b BIGINT[], c TIMESTAMP WITH TIME ZONE\n',
        "x.sql",
    )
    assert header.params == [Parameter("word", "VARCHAR", "what to look for", "it's  two")]
    assert [(c.name, c.type) for c in header.columns] == [
        ("a", "DECIMAL(18,3)"),
        ("b", "BIGINT[]"),
        ("c", "TIMESTAMP WITH TIME ZONE"),
    ]
