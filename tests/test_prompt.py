"""The line that asks: what is typed is heard, what is taken is handed over, Esc takes nothing."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from npuview.tui.draw.look import Look
from npuview.tui.widgets.prompt import Prompt
from npuview.tui.widgets.text_input import TextInput


class Asked(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt(Look())
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.prompt

    def ask(self, text: str = "") -> None:
        self.prompt.ask(
            "filter",
            lambda taken: self.heard.append(f"taken {taken}"),
            text=text,
            typed=self.heard.append,
            left=lambda: self.heard.append("left"),
        )


@asynccontextmanager
async def asked(text: str = "") -> AsyncGenerator[tuple[Asked, Pilot[None]]]:
    app = Asked()
    async with app.run_test(size=(80, 3)) as pilot:
        assert not app.prompt.open
        app.ask(text)
        await pilot.pause()
        app.heard.clear()
        yield app, pilot


async def test_every_change_is_heard_and_enter_takes_the_text_once() -> None:
    async with asked() as (app, pilot):
        await pilot.press("a", "b", "backspace", "enter")
        assert app.heard == ["a", "ab", "a", "taken a"]
        assert not app.prompt.open
        await pilot.press("enter", "c")
        assert app.heard[4:] == []


async def test_esc_takes_nothing_and_says_that_it_was_left() -> None:
    async with asked() as (app, pilot):
        await pilot.press("a", "escape")
        assert app.heard == ["a", "left"]
        assert not app.prompt.open


async def test_a_text_to_begin_with_is_changed_at_its_end() -> None:
    async with asked("mat") as (app, pilot):
        await pilot.press("m", "enter")
        assert app.heard == ["matm", "taken matm"]


async def test_no_text_is_a_text() -> None:
    async with asked("m") as (app, pilot):
        await pilot.press("backspace", "enter")
        assert app.heard == ["", "taken "]


async def test_what_is_asked_next_hears_nothing_of_what_was_asked_before() -> None:
    async with asked("first") as (app, pilot):
        second: list[str] = []
        await pilot.press("escape")
        app.prompt.ask("search", second.append)
        await pilot.press("x", "enter")
        assert app.heard == ["left"]
        assert second == ["x"]


async def test_an_answer_may_ask_again() -> None:
    async with asked() as (app, pilot):
        app.prompt.ask("step", lambda taken: app.ask(taken + "!"))
        await pilot.press("1", "enter")
        assert app.prompt.open
        await pilot.press("enter")
        assert app.heard[-1] == "taken 1!"


async def test_the_label_has_its_room_beside_the_field() -> None:
    async with asked() as (app, pilot):
        app.prompt.ask("矩阵 rows", print)
        await pilot.pause()
        field = app.query_one(TextInput)
        assert field.region.x == len("矩阵 rows") + 2 + 2
        assert field.has_focus
