"""The other run is being read: the status line says how far that is."""

from typing import TYPE_CHECKING, Protocol

from textual.dom import DOMNode

from ..draw.look import Look
from ..draw.safe_text import clean
from ..words.spoken import say
from .against import Against

if TYPE_CHECKING:
    from textual.timer import Timer

SECONDS_BETWEEN = 0.25


class Speaker(Protocol):
    """Who shows the status line."""

    @property
    def look(self) -> Look:
        """Return how things are drawn on this terminal."""
        ...

    @property
    def against(self) -> Against:
        """Return the run that the opened one is held against."""
        ...

    def say(self, message: str, *, serious: bool = False, lasting: bool = False) -> None:
        """Show a clean message."""
        ...

    def unsay(self) -> None:
        """Take a message away."""
        ...


class ReadingTold:
    """Says four times a second what is being done, while ``owner`` is shown."""

    def __init__(self, owner: DOMNode, speaker: Speaker) -> None:
        self._owner = owner
        self._speaker = speaker
        self._timer: Timer | None = None
        self._said = ""

    @property
    def _is_shown(self) -> bool:
        """Tell whether the owner is shown; an app always is."""
        return getattr(self._owner, "display", True)

    def begin(self) -> None:
        """Say from now on what is read."""
        self.end()
        name = clean(self._speaker.against.name)
        self._speaker.say(say("comparing_with", name=name), lasting=True)
        self._timer = self._owner.set_interval(SECONDS_BETWEEN, self._tell)

    def end(self) -> None:
        """Say no more of it."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._said = ""
            if self._is_shown:
                self._speaker.unsay()

    def _tell(self) -> None:
        reading = self._speaker.against.reading
        if reading is None or not self._is_shown:
            return
        line = reading.line(ascii_level=self._speaker.look.ascii_level)
        said = say("reading_other", name=clean(reading.name), line=line)
        if line and said != self._said:
            self._said = said
            self._speaker.say(said, lasting=True)
