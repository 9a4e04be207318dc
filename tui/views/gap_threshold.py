"""The length from which a gap counts, asked for in the place of the status line."""

from collections.abc import Callable

from ...ingest.errors import UsageError
from ..draw.safe_text import clean
from ..places import exact_length, parse_length
from ..words.spoken import say
from .view import Desk


def ask_gap_threshold(desk: Desk, changed: Callable[[], None]) -> None:
    """Ask for the length; ``changed`` hears that it is another one for all views."""

    def take(text: str) -> None:
        try:
            desk.settings.gap_threshold_ns = parse_length(text)
        except UsageError as error:
            desk.say(clean(str(error)), serious=True)
            return
        changed()

    now = exact_length(desk.settings.gap_threshold_ns)
    desk.ask_text(say("gaps_from"), take, text=now)
