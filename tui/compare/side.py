"""A run that is shown beside another one, with the questions to it."""

from dataclasses import dataclass

from ..answers import Answers, open_answers
from ..run import Run, ask_run
from .against import OtherRun


@dataclass(frozen=True, slots=True)
class Side:
    """A run under its name: what is asked of it, and what is known of it."""

    name: str
    answers: Answers
    run: Run

    def median_step(self, rank: int) -> int | None:
        """Return the step of a rank that stands for all: of median length, without warm-up.

        None where no step has a length.
        """
        timed = [row for row in self.run.steps_of(rank) if row.dur]
        working = [row for row in timed if row.warmup is not True] or timed
        ordered = sorted(working, key=lambda row: row.dur or 0)
        return ordered[(len(ordered) - 1) // 2].step if ordered else None


def open_side(other: OtherRun) -> Side:
    """Open the questions to another run; raises as ``open_answers`` does."""
    answers = open_answers(other.store)
    try:
        return Side(other.name, answers, ask_run(answers))
    except BaseException:
        answers.close()
        raise
