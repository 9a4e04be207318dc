"""Where in time: the lanes of the whole step, to be looked at and not to be moved over."""

from ..focus import Focus, Window
from .lanes_view import LanesView


class LaneStrip(LanesView):
    """The same lanes as those of the timeline, fitted to the step or run; part of a view.

    The view that holds it calls ``refocus`` whenever the shared place has changed.
    """

    WHERE = "lane_strip"
    CANVAS_ID = "lane_strip_lanes"
    CAN_MOVE = False
    HAS_WHOLE = False

    def shown_window(self, focus: Focus) -> Window | None:
        """Return all of the step or run."""
        return self.run_facts.whole(focus)
