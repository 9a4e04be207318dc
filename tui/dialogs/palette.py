"""Commands, found by a few of their letters."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut
from ..keyboard.keys import Keymap, bindings
from ..palette import Command
from ..widgets.field import Field
from ..widgets.row_list import Column, RowList
from ..words.spoken import say, shown
from .dialog import Dialog
from .fuzzy import match

TABLE_HEAD_ROWS = 2
MOST_ROWS = 30
KEY_CELLS = 16
KEYS_FROM = 50


class Palette(Dialog[Command]):
    """Lets one command be chosen of many."""

    WHERE = "palette"
    WIDTH = 90
    BINDINGS: ClassVar[list[BindingType]] = bindings("palette")
    DEFAULT_CSS: ClassVar[str] = """
    Palette RowList { height: 1fr; margin: 1 0 0 0; }
    """

    def __init__(
        self, look: Look, commands: Sequence[Command], keymap: Keymap | None = None
    ) -> None:
        super().__init__(look, "Commands", keymap)
        self._commands = commands
        self._places: dict[str, frozenset[int]] = {}
        self._field = Field(look, shown("do"), cells=cell_len(shown("do")) + 2)
        self._table: RowList[Command] = RowList(look, "Commands", self._columns)
        # The keys belong to the field.
        self._table.can_focus = False
        self._table.fill(commands)

    def content(self) -> list[Widget]:
        """Return the field over the commands."""
        return [self._field, self._table]

    def wanted_rows(self, width: int) -> int:  # noqa: ARG002 no row is broken
        """Return room for all commands, up to what can be looked over."""
        return 2 + TABLE_HEAD_ROWS + min(MOST_ROWS, len(self._commands))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the commands that are meant, the best first."""
        event.stop()
        found = [(hit, one) for one in self._commands if (hit := match(event.value, one.name))]
        # Sorting keeps the order of what is meant as well.
        found.sort(key=lambda pair: -pair[0].score)
        self._places = {one.name: frozenset(hit.places) for hit, one in found}
        self._table.fill(
            [one for _, one in found],
            count=say("some_of_all", some=f"{len(found):,}", all=f"{len(self._commands):,}"),
            empty="no command has these letters in this order",
        )
        self._table.go_to(0)

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Do the command that was clicked twice."""
        message.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """Do the command under the cursor."""
        if self._table.row is not None:
            self.dismiss(self._table.row)

    def action_down(self) -> None:
        """Go to the next command."""
        self._table.action_cursor_down()

    def action_up(self) -> None:
        """Go to the command before."""
        self._table.action_cursor_up()

    def action_page_down(self) -> None:
        """Go one page down."""
        self._table.action_page_down()

    def action_page_up(self) -> None:
        """Go one page up."""
        self._table.action_page_up()

    def _columns(self, width: int) -> Sequence[Column[Command]]:  # noqa: ARG002 two at most
        return (
            Column("command", self._named),
            Column(
                "keys",
                lambda command, cells: [Run(self.look.text(cut(command.keys, cells)), Role.PLAIN)],
                width=KEY_CELLS,
                from_width=KEYS_FROM,
            ),
        )

    def _named(self, command: Command, cells: int) -> Sequence[Run]:
        """Return a name in which the letters that were found are underlined."""
        places = self._places.get(command.name, frozenset())
        runs: list[Run] = []
        for at, character in enumerate(cut(command.name, cells)):
            found = Attributes.UNDERLINE if at in places else Attributes.NONE
            character = self.look.text(character)  # noqa: PLW2901 what there is of it
            if runs and runs[-1].attributes == found and cell_len(character):
                runs[-1] = runs[-1]._replace(text=runs[-1].text + character)
            else:
                runs.append(Run(character, Role.PLAIN, attributes=found))
        return runs
