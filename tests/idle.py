"""When an app in a test is idle: a condition, and no matter of time.

Textual's own way is to sleep until its process uses little CPU time, which on a busy
machine is so at once, and beside a thread that works only after a second.
"""

# Neither Textual nor a queue tells in public who waits for a message.
# pyright: reportPrivateUsage=false

import asyncio
from collections.abc import Iterator
from typing import Any

from textual._context import active_app
from textual.app import App
from textual.message_pump import MessagePump

QUIET_TURNS = 3
"""Turns of the event loop without a message after which none is on its way."""

HURRIED_TURNS = 50
"""Turns after which something else than messages is waited for, and no hurry helps."""

NAP_S = 0.002

BRIEF_S = 0.02
"""Longer than what only brings together what comes at once, as sizes of the terminal."""

REST_S = 0.25
"""Longer than anything waits for a rest of the keys."""


async def until_idle(min_sleep: float = 0, max_sleep: float = 0) -> None:
    """Wait until every message is handled and all that it changed is drawn.

    Takes the place of ``textual._wait.wait_for_idle``; its two times mean nothing here.
    """
    del min_sleep, max_sleep
    app = active_app.get()
    quiet = turns = 0
    while quiet < QUIET_TURNS and app.is_running:
        await asyncio.sleep(0 if turns < HURRIED_TURNS else NAP_S)
        turns += 1
        if any(map(_is_busy, _pumps(app))) or _draws(app):
            quiet = 0
        elif has_timer(app, BRIEF_S):
            quiet, turns = 0, HURRIED_TURNS
        else:
            quiet += 1


def has_timer(app: App[Any], less_than_s: float) -> bool:
    """Tell whether anything waits for less than so many seconds, once."""
    return any(
        timer._repeat == 0
        and timer._interval < less_than_s
        and timer._task is not None
        and not timer._task.done()
        for pump in _pumps(app)
        for timer in pump._timers
    )


def _pumps(app: App[Any]) -> Iterator[MessagePump]:
    """Give the app and all that is on its screens."""
    yield app
    for screen in app.screen_stack:
        yield from screen.walk_children(with_self=True)


def _is_busy(pump: MessagePump) -> bool:
    """Tell whether a message waits, or is handled: nobody waits for the next one then."""
    if not pump.is_running:
        return False
    queue = pump._message_queue
    return not queue.empty() or not queue.ready_event._waiters


def _draws(app: App[Any]) -> bool:
    """Draw what waits for the screen's timer; tell whether there was anything."""
    for screen in app.screen_stack[-1:]:
        if (
            screen._layout_required
            or screen._scroll_required
            or screen._repaint_required
            or screen._recompose_required
            or screen._dirty_widgets
            or screen._callbacks
        ):
            screen._on_timer_update()
            return True
    return False
