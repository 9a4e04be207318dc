"""Keys that somebody chose instead of the ones that are there, checked as a whole."""

from collections.abc import Mapping
from difflib import get_close_matches

from ...ingest.errors import UsageError
from .actions import ACTIONS
from .key_names import checked, readable
from .key_places import PLACES
from .keys import Keymap, actions_at

PRESETS: dict[str, dict[str, str]] = {
    "qwerty": {},
    "azerty": {
        # The same fingers as w a s d; what stood on z, q and Q goes to the freed keys.
        "timeline.zoom_in": "z,plus",
        "timeline.pan_left": "q,left,h",
        "timeline.page_left": "Q,shift+left",
        "linked.zoom_in": "z,plus",
        "linked.pan_left": "q,left,h",
        "linked.page_left": "Q,shift+left",
        "global.quit": "a,ctrl+q",
        "global.maximize": "Z",
    },
}
"""Keymaps for other keyboards, by the name that the settings give."""


class KeyClash(UsageError):
    """Two actions of one place on one key."""

    def __init__(self, key: str, first: str, second: str) -> None:
        super().__init__(
            f"the key {readable(key)} would be both {first} and {second};"
            " give one of them another key"
        )
        self.actions = (first, second)


def checked_keys(action: str, keys: str) -> str:
    """Return the keys of an action in Textual's names.

    Raises UsageError for an action or a key that there is not.
    """
    known = [one.id for one in ACTIONS]
    if action not in known:
        near = get_close_matches(action, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "npuview config keys lists them"
        raise UsageError(f"no action {action!r}; {hint}")
    parts = [part.strip() for part in keys.split(",")]
    if not all(parts):
        raise UsageError(f"{keys!r} has an empty key; the key , is called comma")
    return ",".join(dict.fromkeys(checked(part) for part in parts))


def remapped(changes: Mapping[str, str], base: Keymap | None = None) -> dict[str, str]:
    """Return a keymap for ``App.set_keymap``: ``base``, then keys by the id of an action.

    Keys are Textual's names or the characters themselves, split by commas. Raises
    UsageError for an action or a key that there is not, and its KeyClash for two
    actions of one place on one key.
    """
    chosen = {action: checked_keys(action, keys) for action, keys in changes.items()}
    keymap = {**(base or {}), **chosen}
    for where in PLACES:
        taken: dict[str, str] = {}
        for action in actions_at(where):
            for key in keymap.get(action.id, action.keys).split(","):
                other = taken.setdefault(key, action.id)
                if other != action.id:
                    raise KeyClash(key, other, action.id)
    return keymap
