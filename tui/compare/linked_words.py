"""What is said of two timelines that are looked at together."""

from typing import NamedTuple

from ..draw import numbers
from ..draw.safe_text import clean, cut_middle
from ..draw.viewport import Viewport
from ..timeline.lanes import Lane
from ..words.spoken import say
from .linked_start import LinkedStart
from .names_apart import names_apart

NAME_CELLS = 36


class LinkedTitle(NamedTuple):
    """The rule over the lanes of a run; texts are clean."""

    title: str
    where: str
    remark: str


def linked_title(start: LinkedStart, at: int) -> LinkedTitle:
    """Return the title of A (0) or B (1): its name, rank and step.

    B says by how much later in its step it is shown than A.
    """
    one = start.both[at]
    names = names_apart(start.above.side.name, start.below.side.name)
    name = cut_middle(clean(names[at]), NAME_CELLS)
    step = one.focus.step
    where = say("all_of_run") if step is None else say("of_step", step=step)
    ranks = len(one.side.run.ranks) > 1
    told = "   ".join([say("on_rank", rank=one.focus.rank), where] if ranks else [where])
    later = start.below.offset - start.above.offset if at else 0
    remark = ""
    if later:
        text = "shown_later" if later > 0 else "shown_earlier"
        remark = say(text, time=numbers.time(abs(later)))
    return LinkedTitle(f"{'AB'[at]}  {name}", told, remark)


def linked_status(lane: Lane, busy: tuple[int | None, int | None], view: Viewport) -> str:
    """Return the lane, how long it is busy in the window in both runs, and the window."""
    parts = [lane.label(20).strip()]
    first, second = busy
    if first is not None and second is not None:
        sign = "+" if second > first else ""
        times = {"base": numbers.time(first), "test": numbers.time(second)}
        difference = f"{sign}{numbers.time(second - first)}"
        parts.append(
            say("gaps_in_view" if lane.is_gap else "busy_of", **times, difference=difference)
        )
    parts.append(say("view_of", time=numbers.time(view.dur)))
    return "   ".join(parts)
