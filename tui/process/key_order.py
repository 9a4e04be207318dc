"""Keys one after another: each waits until the one before it was done, and what it opened is there.

Textual hands keys to what has the focus as fast as they come. Over a slow connection several
come at once, and those behind one that opens something would be taken by what was left.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump

PATIENCE_S = 2.0
"""How long a key may take before the next one does not wait for it any more."""


class KeyOrder:
    """Hands the keys of an app on, one at a time; ``give`` is what the app does with one."""

    def __init__(self, app: App[None], give: Callable[[events.Key], Awaitable[None]]) -> None:
        self._app = app
        self._give = give
        self._waiting: deque[events.Key] = deque()
        self._unfinished = 0
        self._since = 0.0
        self._is_watched = False

    async def take(self, key: events.Key) -> None:
        """Hand a key on, now or once those before it are done."""
        self._waiting.append(key)
        if self._unfinished and not self._is_watched:
            self._is_watched = True
            self._app.set_timer(PATIENCE_S, self._watch)
        await self._next()

    def hold(self, until: MessagePump) -> None:
        """Let the next key wait until what is asked of ``until`` now was drawn."""
        self._begin()
        until.call_after_refresh(self._settle)

    async def _watch(self) -> None:
        """Let keys wait no longer for what is gone, and from which nothing comes back."""
        self._is_watched = False
        if self._unfinished and monotonic() - self._since >= PATIENCE_S:
            self._unfinished = 0
        elif self._waiting:
            self._is_watched = True
            self._app.set_timer(PATIENCE_S, self._watch)
        await self._next()

    async def _next(self) -> None:
        if self._unfinished or not self._waiting:
            return
        self._begin()
        around = list((self._app.focused or self._app.screen).ancestors_with_self)
        await self._give(self._waiting.popleft())
        # Once after the key itself, once after what it made its taker say.
        self._follow([*around, *around])

    def _follow(self, queues: Sequence[DOMNode]) -> None:
        """Go the way of a key that nobody stops: through the queues of all around its taker."""
        for at, queue in enumerate(queues):
            if queue.call_later(self._follow, queues[at + 1 :]):
                return
        self._settle()

    def _settle(self) -> None:
        # Who asked for the focus gets it before this.
        self._app.call_later(self._end)

    def _begin(self) -> None:
        self._unfinished += 1
        self._since = monotonic()

    async def _end(self) -> None:
        self._unfinished = max(0, self._unfinished - 1)
        await self._next()
