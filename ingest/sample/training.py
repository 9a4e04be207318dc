"""A training job of the made-up network: what its host, its peers and its collectives do.

It is told again until every rank knows when its peers come, and every step is as long as
it shall be.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from .collection import Collection
from .framework import Launching
from .habit import Habit, ReadBack
from .loop import Dial, Loop
from .model import Kernel
from .peers import OneLate, Peers
from .record import Run

MOST_TRIES = 20
SEED = 20260612


class Target(NamedTuple):
    """How long steps and which gap shall be the largest, in ns."""

    period: int
    largest_gap: int
    pause_before: str
    """The operator whose gap is the largest, or ``batch`` for the copy of the batch."""


@dataclass(frozen=True, slots=True)
class Training:
    """A training job.

    ``share`` divides the model: kernels are that many times shorter, and gradients smaller.
    ``reducing`` says when the compute stream waits for the collectives: behind the backward pass,
    after each of them, or only when the optimizer needs gradients. ``variants`` are the kernels
    that calls into the operators' library launch instead of those of the model.
    Another ``seed`` is another run of the same job: its jitter differs.
    """

    habits: tuple[Habit, ...] = (ReadBack(),)
    peers: Peers = OneLate()  # noqa: RUF009 - a value without state
    launching: Launching = Launching()  # noqa: RUF009 - a value without state
    pinned: bool = True
    reducing: Literal["overlapped", "blocking", "needed"] = "overlapped"
    steps: int = 4
    share: int = 1
    target: Target | None = None
    seed: int = SEED
    variants: Mapping[str, tuple[Kernel, ...]] = field(
        default_factory=dict[str, tuple[Kernel, ...]]
    )

    def simulate(self, collection: Collection) -> tuple[Run, ...]:
        """Return the runs of all ranks that are told, collected or not.

        The step's end moves with the slow peer's arrival, and the gap with the work in it, one to
        one, and a collective starts by what came before it: so after some tries nothing is left
        to adjust. Raises ValueError for a job that cannot be: steps shorter than their work, say.
        """
        dials = (Dial(),) * self.steps
        meetings: list[list[int]] = []
        for _ in range(MOST_TRIES):
            runs = tuple(
                Loop(self, rank, dials, meetings, spaced=collection.spaced).play()
                for rank in self.peers.told
            )
            adjusted, met = self._adjusted(dials, runs[0]), _meetings(runs)
            if adjusted == dials and (met == meetings or len(runs) == 1):
                return runs
            dials, meetings = adjusted, met
        raise ValueError(f"no run comes out like this: {self}")

    def _adjusted(self, dials: tuple[Dial, ...], run: Run) -> tuple[Dial, ...]:
        """Turn the dials by what the steps of a run lack."""
        if self.target is None:
            return dials
        period, largest_gap, _ = self.target
        ends = [run.steps[0].ts, *(step.device_end for step in run.steps)]
        return tuple(
            replace(
                dial,
                late=dial.late + period - (end - before),
                pause=dial.pause + largest_gap - gap,
            )
            for dial, before, end, gap in zip(dials, ends[:-1], ends[1:], run.pauses, strict=True)
        )


def _meetings(runs: tuple[Run, ...]) -> list[list[int]]:
    """Return when each rank came to each collective."""
    starts = ((whole.ts for whole in run.collectives) for run in runs)
    return [list(met) for met in zip(*starts, strict=True)]
