"""The questions that npuview ships, as commands."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..draw.safe_text import clean

if TYPE_CHECKING:
    from ..views.view import Desk


def preset_commands(desk: "Desk") -> list[tuple[str, Callable[[], None]]]:
    """Return clean titles of questions, and what asks each of them in the SQL view."""

    def command(name: str) -> Callable[[], None]:
        return lambda: desk.open_view("sql", item=name)

    queries = sorted(desk.answers.catalog.values(), key=lambda query: query.title)
    return [(clean(query.title), command(query.name)) for query in queries]
