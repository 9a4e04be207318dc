"""The rows around every view: crumb above, status line and keys below."""

from collections.abc import Sequence

from ..draw.lines import parts_within
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut
from ..keyboard.keys import NARROW, FooterEntry, Keymap, footer_entries, footer_gap
from ..words.spoken import shown
from .canvas import Canvas, Line

VIEW_NAMES = ("Overview", "Timeline", "Top", "Gaps", "SQL", "Compare")
"""The views with a digit, in its order."""

ONLY_WHERE_SHOWN = frozenset({"Compare"})
"""Views that take no room while another one is shown: they need more than this run."""

WIDE = 140
MIN_CRUMB_CELLS = 8
SEPARATOR = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "


class Crumb(Canvas):
    """The way to what is shown, at the left, and the views, at the right.

    ``parts`` are clean; the last one is bold, and what has no room is cut from the left.
    """

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="crumb")
        self.parts: Sequence[str] = ()
        self.view = 0
        self.lost = False

    def show(self, parts: Sequence[str], view: int, *, lost: bool = False) -> None:
        """Show a way and which view it leads to (its digit; 0 is none)."""
        if (parts, view, lost) != (self.parts, self.view, self.lost):
            self.parts, self.view, self.lost = parts, view, lost
            self.refresh()

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 there is one row
        """Return the crumb and the names of the views."""
        tabs = self._tabs(width)
        room = width - sum(cell_len(run.text) for run in tabs) - 3
        runs = [Run(" ", Role.PLAIN)]
        if self.lost:
            runs.append(Run("! ", Role.IDLE, attributes=Attributes.BOLD))
            room -= 2
        runs += self._way(room)
        used = sum(cell_len(run.text) for run in (*runs, *tabs))
        return [*runs, Run(" " * max(1, width - used - 1), Role.PLAIN), *tabs]

    def _way(self, room: int) -> list[Run]:
        separator = self.look.text(SEPARATOR)
        name = "npuview"
        parts = [self.look.text(part) for part in self.parts if part]
        if not parts:
            return [Run(name, Role.DIM)]
        # The name of what is selected leaves room for where it is.
        others = sum(cell_len(part) + cell_len(separator) for part in parts[:-1])
        most = max(room - others, room * 3 // 5) if others else room
        last = fitted(parts[-1], max(MIN_CRUMB_CELLS, most))
        room -= cell_len(last)
        runs = [Run(last, Role.PLAIN, attributes=Attributes.BOLD)]
        for part in reversed(parts[:-1]):
            room -= cell_len(part) + cell_len(separator)
            if room < 0:
                break
            runs.insert(0, Run(part + separator, Role.PLAIN))
        if room >= len(name) + 2:
            runs.insert(0, Run(f"{name}  ", Role.DIM))
        return runs

    def _tabs(self, width: int) -> list[Run]:
        runs: list[Run] = []
        gap = "   " if width >= WIDE else "  " if width >= NARROW else " "
        for digit, name in enumerate(VIEW_NAMES, 1):
            here = digit == self.view
            if name in ONLY_WHERE_SHOWN and not here:
                continue
            name = shown(name)  # noqa: PLW2901 - as it is read
            text = f"{digit} {name}" if width >= NARROW or here else str(digit)
            if runs:
                runs.append(Run(gap, Role.PLAIN))
            bold = Attributes.BOLD if here else Attributes.NONE
            runs.append(
                Run(
                    f"[{text}]" if here else text, Role.PLAIN if here else Role.DIM, attributes=bold
                )
            )
        return runs


class StatusLine(Canvas):
    """One line: what is selected, how long, where, why; messages stand here for a while."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="status")
        self.text = ""
        self.message = ""
        self.serious = False

    def show(self, text: str) -> None:
        """Show clean text about the selection."""
        if text != self.text:
            self.text = text
            self.refresh()

    def say(self, message: str, *, serious: bool = False) -> None:
        """Show a clean message in its place; without text what is selected again."""
        self.message, self.serious = message, serious
        self.refresh()

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 there is one row
        """Return the message, else the text."""
        room = max(0, width - 2)
        text = cut(self.message, room) if self.message else parts_within(self.text, room)
        role = Role.IDLE if self.message and self.serious else Role.PLAIN
        return [Run(f" {self.look.text(text)}", role)]


class KeyLine(Canvas):
    """The keys that work here; whole entries only."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="keys")
        self.where = "global"
        self.keymap: Keymap | None = None

    def show(self, where: str, keymap: Keymap | None) -> None:
        """Show the keys of a place of ``actions.PLACES``."""
        if (where, keymap) != (self.where, self.keymap):
            self.where, self.keymap = where, keymap
            self.refresh()

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 there is one row
        """Return the entries of the footer."""
        entries: list[FooterEntry] = footer_entries(self.where, width, self.keymap)
        runs = [Run(" ", Role.PLAIN)]
        for at, entry in enumerate(entries):
            if at:
                runs.append(Run(" " * footer_gap(width), Role.PLAIN))
            runs.append(Run(self.look.text(entry.keys), Role.PLAIN, attributes=Attributes.BOLD))
            runs.append(Run(f" {entry.label}", Role.PLAIN))
        return runs
