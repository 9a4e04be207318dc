"""What every dialog is: a rounded box over the dimmed view, which has all keys."""

from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cut
from ..keyboard.keys import Keymap, bindings
from ..widgets.canvas import Canvas, Line
from ..widgets.frame import KeyLine
from ..words.spoken import shown

Answer = TypeVar("Answer")

BORDER_ROWS = 2
PADDING_ROWS = 2
TAIL_ROWS = 3
"""An empty row, the note and the keys."""

AROUND_COLUMNS = 6
"""Border and padding at both sides."""

PADDED_FROM = 20
"""Rows of the screen from which on a dialog has padding above and below."""

MOST_COLUMNS = 120


class Note(Canvas):
    """One row that says what went wrong, or what will happen."""

    text = ""
    serious = False

    def say(self, text: str, *, serious: bool = True) -> None:
        """Show a clean sentence."""
        self.text, self.serious = text, serious
        self.refresh()

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 there is one row
        """Return the sentence."""
        role = Role.IDLE if self.serious else Role.PLAIN
        bold = Attributes.BOLD if self.serious else Attributes.NONE
        return [Run(self.look.text(cut(self.text, width)), role, attributes=bold)]


class Dialog(ModalScreen[Answer], Generic[Answer]):
    """A question that waits for its answer.

    A subclass puts what it asks into ``content`` and says by ``wanted_rows`` how high it
    would like that to be; ``WHERE`` is the place in ``actions.PLACES`` whose keys work.
    Esc dismisses it with None.
    """

    WHERE: ClassVar[str] = "dialog"
    WIDTH: ClassVar[int] = MOST_COLUMNS
    """The most columns that it takes."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("dialog")
    DEFAULT_CSS: ClassVar[str] = """
    Dialog { align: center middle; }
    Dialog > .box { background: $background; border: round $foreground; padding: 1 2; }
    Dialog > .box.-flat { padding: 0 2; }
    Dialog > .box.-ascii { border: ascii $foreground; }
    Dialog Note, Dialog #keys { height: 1; width: 100%; }
    Dialog Note { margin: 1 0 0 0; }
    """

    def __init__(self, look: Look, title: str, keymap: Keymap | None = None) -> None:
        super().__init__()
        self.look = look
        self._box = Vertical(classes="box -ascii" if look.ascii_level else "box")
        # A str would be read as markup.
        self._box.border_title = Content(shown(title))
        self._note = Note(look)
        self._keys = KeyLine(look)
        self._keys.show(self.WHERE, keymap)

    def content(self) -> list[Widget]:
        """Return what the dialog asks with, from the top."""
        raise NotImplementedError

    def wanted_rows(self, width: int) -> int:
        """Return how many rows the content would like to have at a width."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Put the content over the note and the keys."""
        with self._box:
            yield from self.content()
            yield self._note
            yield self._keys

    def on_mount(self) -> None:
        """Take the size that it needs, and the keys for the first thing that takes them."""
        self._take_size()
        first = next((one for one in self.query("*") if one.focusable), None)
        if first is not None:
            first.focus(scroll_visible=False)

    def on_resize(self) -> None:
        """Take the size that there is."""
        self._take_size()

    def note(self, text: str, *, serious: bool = True) -> None:
        """Say something clean in the dialog."""
        self._note.say(text, serious=serious)

    def action_close(self) -> None:
        """Close the dialog and change nothing."""
        self.dismiss(None)

    def action_accept(self) -> None:
        """Do what the dialog asks."""
        raise NotImplementedError

    def on_input_submitted(self) -> None:
        """Take the enter key of an input for that of the dialog."""
        self.action_accept()

    def _take_size(self) -> None:
        width, height = self.app.size
        flat = height < PADDED_FROM
        self._box.set_class(flat, "-flat")
        columns = min(self.WIDTH, width - 4) if width > MOST_COLUMNS else width
        columns = min(self.WIDTH, columns)
        around = BORDER_ROWS + TAIL_ROWS + (0 if flat else PADDING_ROWS)
        wanted = self.wanted_rows(max(1, columns - AROUND_COLUMNS)) + around
        self._box.styles.width = columns
        self._box.styles.height = max(around + 1, min(wanted, height))
