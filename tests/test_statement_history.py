"""The history of statements: back and forth through what was run."""

from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.sql.statement_history import MOST_STATEMENTS, StatementHistory

STATEMENTS = st.lists(st.text(min_size=1).filter(str.strip), max_size=20)


@given(STATEMENTS, st.text())
def test_all_the_way_back_and_forth_ends_at_what_was_written(
    statements: list[str], written: str
) -> None:
    history = StatementHistory()
    for statement in statements:
        history.add(statement)
    shown = [written]
    while (older := history.older(shown[-1])) is not None:
        shown.append(older)
    while (newer := history.newer()) is not None:
        shown.append(newer)
    assert shown[-1] == written
    expected = list(history.statements)
    if expected and expected[-1] == written:
        expected.pop()
    assert shown[1 : len(expected) + 1] == expected[::-1]


@given(STATEMENTS)
def test_a_statement_is_there_once_and_the_newest_is_last(statements: list[str]) -> None:
    history = StatementHistory()
    for statement in statements:
        history.add(statement)
        assert history.statements[-1] == statement
    assert len(set(history.statements)) == len(history.statements)
    assert set(history.statements) == set(statements)


def test_blank_statements_and_too_many_are_not_kept() -> None:
    history = StatementHistory([f"SELECT {number}" for number in range(MOST_STATEMENTS + 5)])
    history.add("  \n")
    assert len(history.statements) == MOST_STATEMENTS
    assert history.statements[0] == "SELECT 5"
