"""Asking off the screen's thread: the newest question counts, and what is stopped is silent."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from store_build import three_ranks
from test_session import ENDLESS
from textual.app import App
from textual.pilot import Pilot

from npuview.ingest.store import Store
from npuview.queries.errors import QueryCancelled, QueryError
from npuview.tui.answers import Answers, open_answers
from npuview.tui.asker import Answered, Asker

if TYPE_CHECKING:
    from npuview.ingest.errors import NpuviewError

WAIT_SECONDS = 20


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return three_ranks(tmp_path_factory.mktemp("asker"))


class Place(App[None]):
    """A screen on which answers arrive."""

    def __init__(self, answers: Answers) -> None:
        super().__init__()
        self.asker = Asker(self, answers)
        self.shown: list[object] = []
        self.failures: list[NpuviewError] = []
        self.threads: set[threading.Thread] = set()

    def on_answered(self, message: Answered) -> None:
        message.deliver()

    def ask(self, work: Callable[[Answers], object]) -> None:
        self.asker.ask(work, self._show, self.failures.append)

    def _show(self, answer: object) -> None:
        self.shown.append(answer)
        self.threads.add(threading.current_thread())


@asynccontextmanager
async def asking(store: Store) -> AsyncGenerator[tuple[Place, Pilot[None]]]:
    answers = open_answers(store)
    place = Place(answers)
    try:
        async with place.run_test() as pilot:
            yield place, pilot
    finally:
        answers.close()


async def settle(place: Place, pilot: Pilot[None]) -> None:
    await place.workers.wait_for_complete()
    await pilot.pause()


class Held:
    """Work that goes on until it is let go; what it did is kept."""

    def __init__(self, then: str = "SELECT 1") -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.error: BaseException | None = None
        self._then = then

    async def has_begun(self) -> None:
        """Wait for its thread; the screen's own goes on meanwhile."""
        assert await asyncio.to_thread(self.begun.wait, WAIT_SECONDS)

    def __call__(self, answers: Answers) -> object:
        self.begun.set()
        assert self.go_on.wait(WAIT_SECONDS)
        try:
            return answers.session.sql(self._then).rows
        except BaseException as error:
            self.error = error
            raise


async def test_an_answer_is_worked_out_elsewhere_and_shown_on_the_screens_thread(
    store: Store,
) -> None:
    async with asking(store) as (place, pilot):
        workers: list[threading.Thread] = []

        def work(answers: Answers) -> object:
            workers.append(threading.current_thread())
            return answers.session.sql("SELECT 42").rows

        place.ask(work)
        assert place.asker.busy
        await settle(place, pilot)
        assert place.shown == [[(42,)]]
        assert not place.asker.busy
        assert place.threads == {threading.current_thread()}
        assert workers != [threading.current_thread()]


async def test_a_newer_question_takes_the_place_of_the_one_before(store: Store) -> None:
    async with asking(store) as (place, pilot):
        older = Held()
        place.ask(older)
        await older.has_begun()
        place.ask(lambda _: "newer")
        older.go_on.set()
        await settle(place, pilot)
        assert place.shown == ["newer"]
        assert place.failures == []
        # What its work would have asked next is refused, too.
        assert isinstance(older.error, QueryError)


async def test_a_question_that_runs_is_interrupted_by_the_next_one(store: Store) -> None:
    async with asking(store) as (place, pilot):
        endless = Held(ENDLESS)
        endless.go_on.set()
        place.ask(endless)
        await endless.has_begun()
        # It may not have reached the engine yet: then it is refused.
        place.ask(lambda _: "newer")
        await settle(place, pilot)
        assert place.shown == ["newer"]
        assert isinstance(endless.error, QueryCancelled | QueryError)
        assert place.failures == []


async def test_an_answer_that_came_too_late_is_dropped(store: Store) -> None:
    async with asking(store) as (place, pilot):
        late = Held()

        def work(_: Answers) -> object:
            late.begun.set()
            assert late.go_on.wait(WAIT_SECONDS)
            return "late"

        place.ask(work)
        await late.has_begun()
        place.asker.stop()
        assert not place.asker.busy
        late.go_on.set()
        await settle(place, pilot)
        assert place.shown == []
        assert place.failures == []


async def test_an_error_is_said_and_the_next_question_is_answered(store: Store) -> None:
    async with asking(store) as (place, pilot):
        place.ask(lambda answers: answers.session.sql("SELECT nothing FROM slice"))
        await settle(place, pilot)
        [failure] = place.failures
        assert "nothing" in str(failure)
        assert not place.asker.busy
        place.ask(lambda _: "next")
        await settle(place, pilot)
        assert place.shown == ["next"]


async def test_an_interruption_is_no_error(store: Store) -> None:
    async with asking(store) as (place, pilot):

        def work(answers: Answers) -> object:
            stream = answers.session.stream(answers.session.prepare("FROM range(9)"), batch_rows=4)
            batches = iter(stream)
            next(batches)
            answers.interrupt()
            return list(batches)

        place.ask(work)
        await settle(place, pilot)
        assert place.shown == []
        assert place.failures == []


async def test_two_askers_do_not_stop_each_other(store: Store) -> None:
    async with asking(store) as (place, pilot):
        other = Asker(place, place.asker._answers)  # pyright: ignore[reportPrivateUsage]
        held = Held("SELECT 7")
        place.ask(held)
        await held.has_begun()
        other.ask(lambda _: "other", place.shown.append, place.failures.append)
        other.stop()
        held.go_on.set()
        await settle(place, pilot)
        assert place.shown == [[(7,)]]


async def test_the_end_of_the_session_ends_what_is_asked_and_says_why(store: Store) -> None:
    async with asking(store) as (place, pilot):
        held = Held()
        place.ask(held)
        await held.has_begun()
        place.asker._answers.close()  # pyright: ignore[reportPrivateUsage]
        held.go_on.set()
        await settle(place, pilot)
        assert place.shown == []
        assert [str(one) for one in place.failures] == ["session: the session is closed"]
