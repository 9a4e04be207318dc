"""The app without a terminal: keys in, rows of text out."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

from idle import NAP_S, REST_S, has_timer, until_idle
from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from textual.worker import WorkerCancelled

from npuview.ingest.store import Store
from npuview.tui.app import NpuviewApp
from npuview.tui.compare.against import Against
from npuview.tui.process.display import Display
from npuview.tui.start import Start
from npuview.tui.user.config import Config, load_config

SIZE = (120, 40)


class Screen:
    """A running app; ``app`` is the app itself."""

    def __init__(self, app: NpuviewApp, pilot: Pilot[None]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys one after another; wait for what each of them asks."""
        for key in keys:
            await self._pilot.press(key)
            await self.settle()

    async def hit(self, *keys: str) -> None:
        """Press keys without waiting for what they ask."""
        await self._pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type text into the field that has the focus."""
        for character in text:
            await self._pilot.press(KEY_NAMES.get(character, character))
        await self.settle()

    async def settle(self) -> None:
        """Wait until nothing is asked, and all that was answered is drawn."""
        at_rest = 0
        while at_rest < 2:
            await until_idle()
            # What one question brought may be what the next one asks about.
            at_rest = 0 if self.app.workers else at_rest + 1
            with suppress(WorkerCancelled):
                # An app that ends waits for none of its questions.
                await self.app.workers.wait_for_complete()

    async def pause(self, seconds: float) -> None:
        """Let time pass without waiting for what is being asked."""
        await self._pilot.pause(seconds)

    async def rest(self) -> None:
        """Press nothing until nothing waits for that, and wait for what then follows."""
        await self.settle()
        while has_timer(self.app, REST_S):
            await asyncio.sleep(NAP_S)
            await self.settle()

    async def click(self, widget: Widget, x: int, y: int) -> None:
        """Click a cell of a widget."""
        await self._pilot.click(widget, offset=(x, y))
        await self.settle()

    async def drag(self, widget: Widget, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the mouse at one cell of a widget and let it go at another one."""
        await self._pilot.mouse_down(widget, offset=start)
        await self._pilot.mouse_up(widget, offset=end)
        await self.settle()

    async def wheel(
        self, widget: Widget, x: int, y: int, notches: int, *, ctrl: bool = False
    ) -> None:
        """Turn the wheel of the mouse over a cell of a widget, down or if negative up."""
        turned = MouseScrollDown if notches > 0 else MouseScrollUp
        await self._pilot._post_mouse_events(  # pyright: ignore[reportPrivateUsage]
            [turned], widget, (x, y), control=ctrl, times=abs(notches)
        )
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        await self._pilot.resize_terminal(width, height)
        await self.settle()

    def rows(self) -> list[str]:
        """Return the rows of the screen without blanks at their ends."""
        return [strip.text.rstrip() for strip in self.strips()]

    def strips(self) -> list[Strip]:
        """Return the rows of the screen with their styles."""
        return self.app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]

    def text(self) -> str:
        """Return the screen as one text."""
        return "\n".join(self.rows())

    def row_with(self, text: str) -> str:
        """Return the first row that holds a text; fail with the screen if there is none."""
        found = [row for row in self.rows() if text in row]
        assert found, f"no row with {text!r}:\n{self.text()}"
        return found[0]


KEY_NAMES = {
    " ": "space",
    ",": "comma",
    ".": "full_stop",
    "*": "asterisk",
    "(": "left_parenthesis",
    ")": "right_parenthesis",
    "=": "equals_sign",
    "'": "apostrophe",
    "_": "underscore",
    "-": "minus",
    "+": "plus",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "/": "slash",
    "$": "dollar_sign",
    "\n": "enter",
}


@asynccontextmanager
async def opened(
    store: Store,
    *,
    size: tuple[int, int] = SIZE,
    display: Display | None = None,
    config: Config | None = None,
    against: Against | None = None,
    ranks: Sequence[int] | None = None,
    start: Start | None = None,
    remember: bool = False,
) -> AsyncGenerator[Screen]:
    """Run the app over a store until the block ends; what crashed it is raised."""
    app = NpuviewApp(
        store,
        display or Display(),
        config or load_config({}, {}),
        ranks=ranks,
        start=start,
        remember=remember,
        against=against,
    )
    async with app.run_test(size=size) as pilot:
        screen = Screen(app, pilot)
        await screen.settle()
        yield screen
