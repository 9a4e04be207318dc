"""The values of a question's parameters, a row for each."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input

from ...ingest.errors import UsageError
from ...queries.query import is_instant
from ..draw.look import Look
from ..draw.safe_text import cell_len, clean, cut
from ..keyboard.keys import Keymap, bindings
from ..places import is_length
from ..widgets.field import Field
from ..words.spoken import say
from .dialog import Dialog

if TYPE_CHECKING:
    from ...queries.query import Parameter, Query

MOST_LABEL_CELLS = 32

Check = Callable[[dict[str, str]], None]
"""Raises UsageError for values that are not right."""


class Parameters(Dialog[dict[str, str]]):
    """Asks for the values of a question's parameters; empty is all.

    ``given`` has the text that stands in the fields at first, else it is the default.
    """

    WHERE = "parameters"
    WIDTH = 90
    BINDINGS: ClassVar[list[BindingType]] = bindings("parameters")
    DEFAULT_CSS: ClassVar[str] = """
    Parameters VerticalScroll { height: 1fr; scrollbar-size: 0 0; }
    """

    def __init__(
        self,
        look: Look,
        query: "Query",
        given: Mapping[str, str],
        check: Check,
        keymap: Keymap | None = None,
    ) -> None:
        super().__init__(look, "Parameters", keymap)
        self._query = query
        self._check = check
        labels = [clean(f"{one.name} {one.type or ''}".rstrip()) for one in query.params]
        cells = min(MOST_LABEL_CELLS, max(map(cell_len, labels), default=0)) + 2
        self._fields = [
            Field(look, cut(label, cells - 2), given.get(one.name, _default(one)), cells=cells)
            for one, label in zip(query.params, labels, strict=True)
        ]

    def content(self) -> list[Widget]:
        """Return a row for each parameter."""
        rows = VerticalScroll(*self._fields)
        rows.can_focus = False
        return [rows]

    def wanted_rows(self, width: int) -> int:  # noqa: ARG002 no row is broken
        """Return room for all parameters."""
        return len(self._fields)

    def on_mount(self) -> None:
        """Go to the first value that is missing, else to the first one."""
        super().on_mount()
        missing = (
            field
            for field, one in zip(self._fields, self._query.params, strict=True)
            if one.required and not field.text
        )
        next(missing, self._fields[0]).input.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Forget what was wrong with the values."""
        event.stop()
        self._tell()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Tell about the parameter that is filled in."""
        event.stop()
        self._tell()

    def action_accept(self) -> None:
        """Take the values, if they are right."""
        values = {
            one.name: field.text.strip()
            for field, one in zip(self._fields, self._query.params, strict=True)
        }
        empty = [one.name for one in self._query.params if one.required and not values[one.name]]
        # Empty is all, which only a question with a default can mean.
        if empty and self._query.origin != "typed":
            self.note(say("values_needed", names=clean(", ".join(empty))))
            return
        try:
            self._check(values)
        except UsageError as error:
            self.note(clean(str(error)))
        else:
            self.dismiss(values)

    def action_down(self) -> None:
        """Go to the next parameter."""
        self.focus_next(Input)

    def action_up(self) -> None:
        """Go to the parameter before."""
        self.focus_previous(Input)

    def _tell(self) -> None:
        for field, one in zip(self._fields, self._query.params, strict=True):
            if field.input is self.focused:
                self.note(_about(one), serious=False)


def _default(parameter: "Parameter") -> str:
    return "" if parameter.default is None else str(parameter.default)


def _about(parameter: "Parameter") -> str:
    """Return what a parameter means and how its value is written."""
    said = [clean(parameter.about)] if parameter.about else []
    if is_instant(parameter.name) and parameter.type in {"BIGINT", None}:
        said.append(say("value_instant"))
    elif is_length(parameter.name) and parameter.type in {"BIGINT", None}:
        said.append(say("value_length"))
    if parameter.required:
        said.append(say("value_needed" if parameter.type else "value_null"))
    else:
        said.append(say("value_all"))
    return say("and_also").join(said)
