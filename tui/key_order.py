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

PATIENCE_S = 0.5
"""How long a key may take before the next one does not wait for it any more."""


class KeyOrder:
    """Hands the keys of an app on, one at a time; ``give`` is what the app does with one."""

    def __init__(self, app: App[None], give: Callable[[events.Key], Awaitable[None]]) -> None:
        self._app = app
        self._give = give
        self._waiting: deque[events.Key] = deque()
        self._unfinished = 0
        self._since = 0.0

    async def take(self, key: events.Key) -> None:
        """Hand a key on, now or once those before it are done."""
        self._waiting.append(key)
        # What took a key may be gone, and nothing comes back from there.
        if not self._unfinished or monotonic() - self._since > PATIENCE_S:
            self._unfinished = 0
            await self._next()

    def hold(self, until: MessagePump) -> None:
        """Let the next key wait until what is asked of ``until`` now was drawn."""
        self._begin()
        until.call_after_refresh(self._settle)

    async def _next(self) -> None:
        if self._unfinished or not self._waiting:
            return
        self._begin()
        taker = self._app.focused or self._app.screen
        await self._give(self._waiting.popleft())
        self._follow(list(taker.ancestors_with_self))

    def _follow(self, takers: Sequence[DOMNode]) -> None:
        """Go the way of a key that nobody stops: through the queues of all around its taker."""
        for at, taker in enumerate(takers):
            if taker is not self._app and taker.call_later(self._follow, takers[at + 1 :]):
                return
        self._settle()

    def _settle(self) -> None:
        # Who asked for the focus gets it before this.
        self._app.call_later(self._app.call_later, self._end)

    def _begin(self) -> None:
        self._unfinished += 1
        self._since = monotonic()

    async def _end(self) -> None:
        self._unfinished = max(0, self._unfinished - 1)
        await self._next()
