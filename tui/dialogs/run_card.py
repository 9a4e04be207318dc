"""What a person knows of a run and no profile can hold: a row for each field of its card."""

from decimal import Decimal
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from ..draw.look import Look
from ..draw.numbers import MILLISECONDS
from ..draw.safe_text import cell_len
from ..keyboard.keys import Keymap, bindings
from ..user.run_card import RunCard, line_typed, milliseconds_typed
from ..widgets.field import Field
from ..words.spoken import say
from .dialog import Dialog

ABOUT = {
    "profiler_off_ns": ("card_off", "card_off_about"),
    "config": ("card_config", "card_config_about"),
    "batch": ("card_batch", "card_batch_about"),
    "text": ("card_text", "card_text_about"),
}
"""The texts of each field: its label, and what belongs into it."""


class RunCardDialog(Dialog[RunCard]):
    """Asks for the fields of a run card; what is empty is not known."""

    WHERE = "card"
    WIDTH = 90
    BINDINGS: ClassVar[list[BindingType]] = bindings("card")

    def __init__(self, look: Look, card: RunCard, keymap: Keymap | None = None) -> None:
        super().__init__(look, "Run card", keymap)
        off = card.profiler_off_ns
        given = {
            "profiler_off_ns": "" if off is None else milliseconds_of(off),
            "config": card.config or "",
            "batch": card.batch or "",
            "text": card.text or "",
        }
        labels = {name: say(label) for name, (label, _) in ABOUT.items()}
        cells = max(map(cell_len, labels.values())) + 2
        self._fields = {
            name: Field(look, label, given[name], cells=cells) for name, label in labels.items()
        }

    def content(self) -> list[Widget]:
        """Return a row for each field."""
        return list(self._fields.values())

    def wanted_rows(self, width: int) -> int:  # noqa: ARG002 no row is broken
        """Return room for all fields."""
        return len(self._fields)

    def on_mount(self) -> None:
        """Go to the first field."""
        super().on_mount()
        self._fields["profiler_off_ns"].input.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Forget what was wrong."""
        event.stop()
        self._tell()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Tell about the field that is filled in."""
        event.stop()
        self._tell()

    def action_accept(self) -> None:
        """Take the card, if it is right."""
        typed = {name: field.text for name, field in self._fields.items()}
        off = typed.pop("profiler_off_ns").strip()
        try:
            ns = milliseconds_typed(off) if off else None
            texts = {name: line_typed(text) for name, text in typed.items()}
        except ValueError as error:
            self.note(str(error))
        else:
            self.dismiss(RunCard(ns, **texts))

    def action_down(self) -> None:
        """Go to the next field."""
        self.focus_next(Input)

    def action_up(self) -> None:
        """Go to the field before."""
        self.focus_previous(Input)

    def _tell(self) -> None:
        for name, field in self._fields.items():
            if field.input is self.focused:
                self.note(say(ABOUT[name][1]), serious=False)


def milliseconds_of(ns: int) -> str:
    """Return ns as ms, with as many decimals as it needs."""
    return f"{(Decimal(ns) / MILLISECONDS.size).normalize():f}"
