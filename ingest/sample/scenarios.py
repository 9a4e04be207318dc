"""The scenarios of the sample: made-up jobs, each with one thing that costs it time."""

from typing import NamedTuple

from .collection import Collection
from .habit import CheckFinite, ReadBack
from .record import Run
from .training import Target, Training


class Scenario(NamedTuple):
    """A made-up job and how it was collected."""

    about: str
    work: Training
    collection: Collection = Collection()

    def simulate(self) -> tuple[Run, ...]:
        """Return the runs of its ranks, those that were not collected too."""
        return self.work.simulate(self.collection)


SCENARIOS: dict[str, Scenario] = {
    "host_bound": Scenario(
        "a check reads a value back after every operator: steps of 410 ms, gaps up to 2.1 ms",
        Training(
            habits=(ReadBack(), CheckFinite()),
            target=Target(410_000_000, 2_100_000, pause_before="gelu.1"),
        ),
        Collection(l2_cache=True),
    ),
    "pipelined": Scenario(
        "the same model without the check: steps of 368 ms, gaps up to 0.5 ms",
        Training(target=Target(368_000_000, 500_000, pause_before="batch")),
        Collection(l2_cache=True),
    ),
}
"""The made-up runs by name."""
