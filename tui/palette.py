"""Everything that can be done from where somebody is, as commands with a name."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .keyboard.key_names import readable
from .keyboard.keys import about_of, actions_at
from .run import Run
from .words.spoken import say

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode

NOT_LISTED = frozenset({"global.palette"})
"""What leads nowhere from the list of commands."""


class Command(NamedTuple):
    """Something that can be done: a clean name, its keys as people read them, how."""

    name: str
    keys: str
    do: Callable[[], object]


def action_commands(app: "App[None]", where: str) -> Iterator[Command]:
    """Yield the actions of a place whose keys work at what has the focus, its own first.

    They act where their keys would: call this before another screen is shown.
    """
    found: dict[str, tuple[DOMNode, str, list[str]]] = {}
    for key, active in app.screen.active_bindings.items():
        name = active.binding.id
        if name is not None and active.enabled:
            place = found.setdefault(name, (active.node, active.binding.action, []))
            place[2].append(readable(key))
    for action in actions_at(where):
        if action.id in found and action.id not in NOT_LISTED:
            node, call, keys = found[action.id]
            yield Command(about_of(action).rstrip(".。"), "  ".join(keys), _run(app, call, node))


def place_commands(run: Run, rank: int, go_to: Callable[[str], None]) -> Iterator[Command]:
    """Yield a command for every step of a rank and every other rank that is open.

    ``go_to`` takes what would be typed to go there.
    """
    wanted = [(say("go_to_step", step=row.step), f"step {row.step}") for row in run.steps_of(rank)]
    wanted += [(say("go_to_rank", rank=one), f"rank {one}") for one in run.ranks if one != rank]
    for name, text in wanted:
        yield Command(name, "", lambda text=text: go_to(text))


def _run(app: "App[None]", action: str, node: "DOMNode") -> Callable[[], object]:
    return lambda: app.call_later(app.run_action, action, node)
