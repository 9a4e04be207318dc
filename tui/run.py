"""The opened run: its ranks, steps and extents, asked once and kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..queries.rows import HealthRow, OverviewRow, ProfilesRow, StepsRow
from ..queries.rows_collection import JobRanksRow
from .focus import Focus, Window
from .overview.job import Job, job_of

if TYPE_CHECKING:
    from .answers import Answers


@dataclass(frozen=True, slots=True)
class Run:
    """What every view knows of the run."""

    profiles: Sequence[ProfilesRow]
    steps: Sequence[StepsRow]
    splits: Sequence[OverviewRow]
    """Where the time of every step went, by rank, device and step."""
    health: Sequence[HealthRow]
    job: Job | None = None
    """None where the size of the job is not known."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """Return the opened ranks in order."""
        return tuple(profile.rank for profile in self.profiles)

    def profile(self, rank: int) -> ProfilesRow:
        """Return the profile of an opened rank."""
        return next(one for one in self.profiles if one.rank == rank)

    def steps_of(self, rank: int) -> list[StepsRow]:
        """Return the steps of a rank in time."""
        return [step for step in self.steps if step.rank == rank]

    def step_beside(self, focus: Focus, away: int) -> Focus | None:
        """Return the focus on the step so many further; None where there is none.

        From the whole run it is the first one, or the last one.
        """
        steps = [step.step for step in self.steps_of(focus.rank)]
        at = steps.index(focus.step) + away if focus.step in steps else 0 if away > 0 else -1
        if not steps or at not in range(-1, len(steps)) or (at == -1 and focus.step is not None):
            return None
        return focus.at_step(steps[at])

    def extent(self, rank: int) -> Window | None:
        """Return the time that a rank's slices cover; None without a timeline."""
        profile = self.profile(rank)
        if profile.ts is None or profile.dur is None:
            return None
        return Window(profile.ts, profile.ts + max(1, profile.dur))

    def period(self, rank: int, step: int | None) -> Window | None:
        """Return a step's period, or of None the extent; None where it is not known."""
        if step is None:
            return self.extent(rank)
        for row in self.steps_of(rank):
            if row.step == step and row.ts is not None and row.dur is not None:
                return Window(row.ts, row.ts + max(1, row.dur))
        return None

    def whole(self, focus: Focus) -> Window | None:
        """Return all of the step or run that a focus is on."""
        return self.period(focus.rank, focus.step) or self.extent(focus.rank)

    def window(self, focus: Focus) -> Window | None:
        """Return the window of a focus, which without one is all of its step or run."""
        return focus.window or self.whole(focus)

    def origin(self, focus: Focus) -> int:
        """Return the instant from which places of a focus are told: the start of its step."""
        whole = self.whole(focus)
        return whole.from_ts if whole else 0

    def split(self, focus: Focus) -> list[OverviewRow]:
        """Return where the time of a focus went: a row per device and step."""
        return [
            row
            for row in self.splits
            if row.rank == focus.rank and (focus.step is None or row.step == focus.step)
        ]

    @property
    def lost(self) -> int:
        """Return how many events could not be read."""
        return sum(row.count_ or 1 for row in self.health if _is_loss(row))


def _is_loss(row: HealthRow) -> bool:
    return row.kind == "import" and row.severity in {"data_loss", "error"}


def ask_run(answers: "Answers") -> Run:
    """Ask what every view knows of the run; raises as ``Session.run`` does."""
    return Run(
        profiles=answers.rows("profiles", ProfilesRow),
        steps=answers.rows("steps", StepsRow),
        splits=answers.rows("overview", OverviewRow),
        health=answers.rows("health", HealthRow),
        job=job_of(
            answers.rows("job_ranks", JobRanksRow),
            (one.rank for one in answers.session.store.ranks),
        ),
    )
