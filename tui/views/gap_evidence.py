"""What is known of a gap: what ended and began at it, and when the host launched what ended it."""

from collections.abc import Callable, Iterator, Sequence

from ...queries.rows import GapsRow
from ...queries.rows_timeline import ChainRow
from ..answers import Answers
from ..draw import numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean
from ..widgets.canvas import Line

LABEL_CELLS = 12
PLACE_NS = 1000
"""Places are told to the microsecond."""


def load_launch(answers: Answers, gap: GapsRow) -> ChainRow | None:
    """Ask for the host call that launched the task after a gap; None if none is on record."""
    if gap.next_slice_id is None:
        return None
    chain = answers.rows("chain", ChainRow, slice_id=gap.next_slice_id)
    return next((one for one in chain if (one.role, one.distance) == ("launch", 0)), None)


def evidence_lines(
    gap: GapsRow, launch: ChainRow | None, origin: int, look: Look, *, known: bool
) -> Sequence[Line]:
    """Return what is known of a gap; ``known`` says whether its launch was asked for already."""

    def place(ts: int) -> str:
        return numbers.place(ts - origin, PLACE_NS, numbers.MILLISECONDS)

    before, after = (clean(name or "no task") for name in (gap.prev_name, gap.next_name))
    rows = [
        ("free since", f"{place(gap.ts)}, when {before} ended"),
        ("until", f"{place(gap.ts + gap.dur)}, when {after} began"),
        ("launched", _launched(gap, launch, place) if known else "…"),
        ("meanwhile", ", ".join(_meanwhile(gap))),
    ]
    return [
        [Run(f"  {name:<{LABEL_CELLS}}", Role.DIM), Run(look.text(said), Role.PLAIN)]
        for name, said in rows
    ]


def _launched(gap: GapsRow, launch: ChainRow | None, place: Callable[[int], str]) -> str:
    if launch is None:
        return "no launch of it is on record"
    # A launch that returns later than its task begins had done its work before.
    end = min(launch.ts + launch.dur, gap.ts + gap.dur)
    how = " (inferred)" if launch.inferred else ""
    said = f"{place(launch.ts)} by {clean(launch.name)}{how}"
    late = end - gap.ts
    if late <= 0:
        return f"{said}, done {numbers.time(-late)} before the device was free"
    return f"{said}, done {numbers.time(late)} after the device was free"


def _meanwhile(gap: GapsRow) -> Iterator[str]:
    if gap.cause is not None:
        yield f"{clean(gap.cause)}{' (inferred)' if gap.inferred else ''}"
    if gap.wait_ns:
        yield f"an event wait ran for {numbers.time(gap.wait_ns)}"
    else:
        yield "no event wait ran"
    if gap.step_boundary:
        yield "a step ends and the next begins"
