"""A panel that has the whole body: what is beside it is hidden until it is given back."""

from textual.widget import Widget

CLASS = "-whole"


class Maximized:
    """Gives a widget the room of the view that it is in."""

    def __init__(self) -> None:
        self._hidden: list[Widget] = []
        self._grown: list[Widget] = []

    def grow(self, widget: Widget, view: Widget) -> bool:
        """Hide what is beside a widget of a view; tell whether there was something."""
        at = widget
        while at is not view and isinstance(at.parent, Widget):
            self._grown.append(at)
            beside = [one for one in at.parent.children if one is not at and one.display]
            self._hidden += beside
            at = at.parent
        for one in self._hidden:
            one.display = False
        for one in self._grown:
            one.add_class(CLASS)
        if not self._hidden:
            self.shrink()
            return False
        return True

    def shrink(self) -> bool:
        """Show again what was hidden; tell whether anything was."""
        any_hidden = bool(self._hidden)
        for one in self._hidden:
            one.display = True
        for one in self._grown:
            one.remove_class(CLASS)
        self._hidden, self._grown = [], []
        return any_hidden
