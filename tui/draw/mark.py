"""What is pointed out on the canvas: the selection, its namesakes, what was found."""

from collections.abc import Iterable
from typing import NamedTuple

from .look import Look
from .run import Attributes
from .viewport import Viewport


class Mark(NamedTuple):
    """A slice or gap to be pointed out: selected, of the same name, or found."""

    span_id: int
    """slice_id, in a row of gaps gap_id."""
    ts: int
    dur: int
    attributes: Attributes

    @property
    def selected(self) -> bool:
        """Whether this is the selection."""
        return Attributes.REVERSE in self.attributes

    def arrow(self, view: Viewport, look: Look) -> tuple[int, str] | None:
        """Return the cell and character that point to a selection outside the view."""
        if not self.selected or view.shows(self.ts, self.dur):
            return None
        if self.ts < view.from_ts:
            return 0, look.signs.off_left
        return view.cells - 1, look.signs.off_right


def attributes_by_span(marks: Iterable[Mark]) -> dict[int, Attributes]:
    """Return all that is said of each slice or gap: one may be selected and found."""
    said: dict[int, Attributes] = {}
    for mark in marks:
        said[mark.span_id] = said.get(mark.span_id, Attributes.NONE) | mark.attributes
    return said
