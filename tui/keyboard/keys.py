"""The keys of each place, as bindings, footer and help: the only truth about keys.

What there is to do stands in ``actions.py``; here it becomes what Textual binds and what
people read, with the keys that somebody chose in the settings.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..draw.safe_text import cell_len
from ..words.spoken import speaks, spoken
from .actions import ACTIONS, Action
from .key_names import is_typed, readable
from .key_places import PLACES

if TYPE_CHECKING:
    from textual.binding import BindingType

Keymap = Mapping[str, str]
"""Keys by the id of an action, as Textual's ``App.set_keymap`` takes them."""

NARROW = 100
"""Columns below which the footer has the short labels, fewer entries and less room between."""

MOST_ENTRIES = 8
MOST_ENTRIES_NARROW = 6
GAP = 3
GAP_NARROW = 2
MARGIN = 1
"""Columns that stay free at each side of the footer."""

ALWAYS_SHOWN = frozenset({"global.help", "global.quit"})
"""Actions that stay in the footer however little room there is."""


class FooterEntry(NamedTuple):
    """One entry of the footer: keys as people read them, and what they do."""

    keys: str
    label: str

    @property
    def cells(self) -> int:
        """Return the width in columns: keys, one blank, label."""
        return cell_len(self.keys) + 1 + cell_len(self.label)


class HelpRow(NamedTuple):
    """One line of the help: where the keys work, the keys as people read them, a sentence."""

    where: str
    keys: str
    about: str


def bindings(where: str) -> "list[BindingType]":
    """Return the bindings of a place itself, without those of the places around it.

    They carry the ids of their actions, so that ``App.set_keymap`` can change them.
    Raises KeyError for a place that there is not.
    """
    # A command that only names keys does not wait for Textual.
    from textual.binding import Binding  # noqa: PLC0415

    own = [action for action in ACTIONS if action.where == _known(where)]
    return [Binding(one.keys, one.action, one.label, show=False, id=one.id) for one in own]


def actions_at(where: str) -> Iterator[Action]:
    """Yield what can be done at a place: its own actions, then those of the places around it.

    Raises KeyError for a place that there is not.
    """
    for place in (_known(where), *PLACES[where].around):
        yield from (action for action in ACTIONS if action.where == place)


def keys_at(action: Action, where: str, keymap: Keymap | None = None) -> list[str]:
    """Return the keys that do an action at a place, in Textual's names, the shown one first."""
    keys = (keymap or {}).get(action.id, action.keys).split(",")
    if not PLACES[where].typing or action.where == where:
        return keys
    return [key for key in keys if not is_typed(key)]


def help_rows(where: str, keymap: Keymap | None = None) -> list[HelpRow]:
    """Return every key that works at a place, its own first.

    Raises KeyError for a place that there is not.
    """
    return [
        HelpRow(action.where, "  ".join(readable(key) for key in keys), about_of(action))
        for action in actions_at(where)
        if (keys := keys_at(action, where, keymap))
    ]


def footer_gap(width: int) -> int:
    """Return the blanks between two entries of a footer of ``width`` columns."""
    return GAP_NARROW if width < NARROW else GAP


def footer_entries(where: str, width: int, keymap: Keymap | None = None) -> list[FooterEntry]:
    """Return the entries of the footer at a place, for a screen of ``width`` columns.

    Whole entries only: what has no room goes, the least important first; the help and
    the way out stay. Raises KeyError for a place that there is not.
    """
    narrow = width < NARROW
    shown = _shown(where, keymap, narrow=narrow)
    most = MOST_ENTRIES_NARROW if narrow else MOST_ENTRIES
    while len(shown) > most or _cells(shown, footer_gap(width)) > width - 2 * MARGIN:
        droppable = [one for one in shown if not one.stays]
        if not droppable:
            break
        # Of two that matter as much, the later one goes.
        shown.remove(max(reversed(droppable), key=lambda one: one.rank))
    return [one.entry for one in shown]


def label_of(action: Action, *, narrow: bool = False) -> str:
    """Return what a footer says of an action, in the language that is spoken."""
    if speaks() == "en":
        return action.label if narrow else action.wide_label or action.label
    known = spoken().keys[action.id]
    return known.label if narrow else known.wide or known.label


def about_of(action: Action) -> str:
    """Return what the help says of an action, in the language that is spoken."""
    return action.about if speaks() == "en" else spoken().keys[action.id].about


def place_text(where: str) -> tuple[str, str]:
    """Return the name of a place and what it shows, in the language that is spoken."""
    if speaks() == "en":
        return PLACES[where].title, PLACES[where].about
    known = spoken().places_of_keys[where]
    return known.title, known.about


class _Shown(NamedTuple):
    rank: int
    entry: FooterEntry
    stays: bool


def _shown(where: str, keymap: Keymap | None, *, narrow: bool) -> list[_Shown]:
    """Return every entry that a footer could have, in its order, pairs made one."""
    together: dict[tuple[str, str], list[Action]] = {}
    for action in actions_at(where):
        if action.show is not None and keys_at(action, where, keymap):
            together.setdefault((action.where, action.label), []).append(action)
    shown: list[_Shown] = []
    for actions in together.values():
        first = actions[0]
        keys = " ".join(readable(keys_at(one, where, keymap)[0]) for one in actions)
        label = label_of(first, narrow=narrow)
        stays = first.id in ALWAYS_SHOWN
        shown.append(_Shown(first.show or 0, FooterEntry(keys, label), stays))
    return shown


def _cells(shown: list[_Shown], gap: int) -> int:
    return sum(one.entry.cells for one in shown) + gap * max(0, len(shown) - 1)


def _known(where: str) -> str:
    if where not in PLACES:
        raise KeyError(f"{where} is no place; there are: {', '.join(PLACES)}")
    return where
