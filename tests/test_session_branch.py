"""Branches of a session: stopped apart from each other, and all of them with it."""

import threading
from collections.abc import Callable, Iterator

import pytest
from store_build import three_ranks
from test_session import ENDLESS, stopped

from npuview.ingest.store import Store
from npuview.queries.errors import QueryCancelled, QueryError
from npuview.queries.session import Session


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return three_ranks(tmp_path_factory.mktemp("branches"))


@pytest.fixture
def session(store: Store) -> Iterator[Session]:
    with Session(store, threads=2) as opened:
        yield opened


def test_a_branch_answers_what_its_session_answers(session: Session) -> None:
    branch = session.branch()
    text = "SELECT rank, count(*) FROM slice GROUP BY ALL ORDER BY 1"
    assert branch.sql(text).rows == session.sql(text).rows
    assert branch.cursor() is not session.cursor()
    assert branch.ranks == session.ranks


@pytest.mark.parametrize("stop", ["interrupt", "close"])
def test_what_stops_a_branch_stops_nothing_of_another_one(stop: str, session: Session) -> None:
    stopped_one, other = session.branch(), session.branch()
    here, there = (iter(one.stream(one.prepare("FROM range(9)"), batch_rows=4))
                   for one in (session, other))  # fmt: skip
    next(here)
    next(there)
    [error] = stopped(lambda: stopped_one.sql(ENDLESS), getattr(stopped_one, stop))
    assert isinstance(error, QueryCancelled)
    # Had they been interrupted, the rest would raise.
    assert sum(map(len, here)) == sum(map(len, there)) == 5


def test_interrupting_a_session_leaves_its_branches_alone(session: Session) -> None:
    branch = session.branch()
    stream = iter(branch.stream(branch.prepare("FROM range(9)"), batch_rows=4))
    next(stream)
    session.interrupt()
    assert sum(map(len, stream)) == 5


def test_an_interrupted_branch_can_be_asked_again_and_a_closed_one_cannot(
    session: Session,
) -> None:
    branch = session.branch()
    branch.interrupt()
    assert branch.sql("SELECT 1").rows == [(1,)]
    branch.close()
    branch.close()
    with pytest.raises(QueryError, match="the session is closed"):
        branch.sql("SELECT 1")
    assert session.sql("SELECT 1").rows == [(1,)]
    assert session.branch().sql("SELECT 1").rows == [(1,)]


@pytest.mark.parametrize("depth", [1, 2])
def test_closing_a_session_stops_what_its_branches_are_asked(depth: int, store: Store) -> None:
    session = branch = Session(store, threads=2)
    for _ in range(depth):
        branch = branch.branch()
    [error] = stopped(lambda: branch.sql(ENDLESS), session.close)
    assert isinstance(error, QueryCancelled)
    with pytest.raises(QueryError, match="the session is closed"):
        branch.sql("SELECT 1")


def test_a_branch_of_a_closed_session_refuses_as_the_session_does(store: Store) -> None:
    session = Session(store)
    early = session.branch()
    session.close()
    for branch in (early, session.branch()):
        with pytest.raises(QueryError, match="the session is closed"):
            branch.sql("SELECT 1")


def test_each_thread_has_a_cursor_of_its_own_in_each_branch(session: Session) -> None:
    branches = session.branch(), session.branch()
    found: list[object] = []

    def take(branch: Session) -> Callable[[], None]:
        return lambda: found.append(branch.cursor())

    for branch in branches:
        found.append(branch.cursor())
        thread = threading.Thread(target=take(branch))
        thread.start()
        thread.join()
    assert len(set(map(id, found))) == 4
