"""Runs statements one at a time off the screen's thread, and keeps their answers."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ingest.errors import NpuviewError
from ..answers import Answers
from ..asker import Asker
from ..text.table_text import Style
from .answer_columns import AnswerColumns, measured_columns
from .kept_answer import KeptAnswer, keep_answer
from .parameters import read_times
from .typed_query import typed_query, without_value

if TYPE_CHECKING:
    from textual.widget import Widget

    from ...queries.query import Query


@dataclass(frozen=True, slots=True)
class MeasuredAnswer:
    """An answer and its columns, which were measured off the screen's thread."""

    answer: KeptAnswer
    columns: AnswerColumns


@dataclass(frozen=True, slots=True)
class Heard:
    """Who hears what came of a statement, on the screen's thread."""

    answered: Callable[[MeasuredAnswer], None]
    wants_values: "Callable[[Query], None]"
    """The statement takes parameters of which one has no value."""
    failed: Callable[[NpuviewError], None]


class StatementRunner:
    """Runs the newest statement; the one before is stopped.

    Times in values count from ``origin``, ns, where they have a unit.
    """

    def __init__(self, widget: "Widget", answers: Answers, heard: Heard) -> None:
        self._asker = Asker(widget, answers)
        self._heard = heard
        self._begun = 0

    @property
    def busy(self) -> bool:
        """Tell whether a statement runs."""
        return self._asker.busy

    @property
    def running_for(self) -> int:
        """Return how long the statement has been running, ns."""
        return time.monotonic_ns() - self._begun

    def run_text(self, text: str, values: Mapping[str, str], style: Style, origin: int) -> None:
        """Run what a person typed, with the values that are known of its parameters."""

        def work(answers: Answers) -> "MeasuredAnswer | Query":
            query = typed_query(answers.session, text)
            if without_value(query, values):
                return query
            names = {one.name for one in query.params}
            known = {name: value for name, value in values.items() if name in names}
            return _answer(answers, query, known, style, origin)

        def show(found: "MeasuredAnswer | Query") -> None:
            if isinstance(found, MeasuredAnswer):
                self._heard.answered(found)
            else:
                self._heard.wants_values(found)

        self._begun = time.monotonic_ns()
        self._asker.ask(work, show, self._heard.failed)

    def run(self, query: "Query", values: Mapping[str, str], style: Style, origin: int) -> None:
        """Run a question with values for its parameters."""
        self._begun = time.monotonic_ns()
        self._asker.ask(
            lambda answers: _answer(answers, query, values, style, origin),
            self._heard.answered,
            self._heard.failed,
        )

    def stop(self) -> None:
        """Stop the statement that runs; nothing is heard of it any more."""
        self._asker.stop()


def _answer(
    answers: Answers, query: "Query", values: Mapping[str, str], style: Style, origin: int
) -> MeasuredAnswer:
    params = read_times(query, values, lambda: origin)
    answer = keep_answer(answers.session, query, params)
    return MeasuredAnswer(answer, measured_columns(answer.columns, answer.rows, style))
