"""The keys that move over lanes, for one run or for two at once."""

from textual import events

from ..timeline.position import PAN_PART


class LaneMoves:
    """Moves in time by parts of the window, and from lane to lane.

    A view says how wide it is and what a move does in it.
    """

    lane: int
    """The selected one of the lanes that are shown."""

    @property
    def cells(self) -> int:
        """Return the cells of a lane."""
        raise NotImplementedError

    @property
    def lane_page(self) -> int:
        """Return by how many lanes one screen of them moves."""
        raise NotImplementedError

    def zoom(self, levels: int) -> None:
        """Show less time by so many halvings, more if negative, about the cursor."""
        raise NotImplementedError

    def pan(self, cells: int) -> None:
        """Move the window with the cursor; at an end of the run the cursor alone."""
        raise NotImplementedError

    def to_lane(self, lane: int) -> None:
        """Select a lane, as near as there is one."""
        raise NotImplementedError

    def action_zoom_in(self) -> None:
        """Show half the time, about the cursor."""
        self.zoom(1)

    def action_zoom_out(self) -> None:
        """Show twice the time, about the cursor."""
        self.zoom(-1)

    def action_pan_left(self) -> None:
        """Go back in time by an eighth of the window."""
        self.pan(-max(1, self.cells // PAN_PART))

    def action_pan_right(self) -> None:
        """Go on in time by an eighth of the window."""
        self.pan(max(1, self.cells // PAN_PART))

    def action_page_left(self) -> None:
        """Go back by a window."""
        self.pan(-self.cells)

    def action_page_right(self) -> None:
        """Go on by a window."""
        self.pan(self.cells)

    def action_lane_down(self) -> None:
        """Go to the lane below."""
        self.to_lane(self.lane + 1)

    def action_lane_up(self) -> None:
        """Go to the lane above."""
        self.to_lane(self.lane - 1)

    def action_lanes_down(self) -> None:
        """Go down by a screen of lanes."""
        self.to_lane(self.lane + self.lane_page)

    def action_lanes_up(self) -> None:
        """Go up by a screen of lanes."""
        self.to_lane(self.lane - self.lane_page)


class LaneScroll(LaneMoves):
    """The same with the wheel of the mouse, where lanes fill the screen."""

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Go down the lanes, or with ctrl zoom out."""
        if event.ctrl:
            self.action_zoom_out()
        else:
            self.action_lane_down()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Go up the lanes, or with ctrl zoom in."""
        if event.ctrl:
            self.action_zoom_in()
        else:
            self.action_lane_up()
