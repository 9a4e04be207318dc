"""In what a slice is shown, and how a sentence about it stands there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ...queries.rows import ProfilesRow
from ..draw import numbers
from ..draw.lines import wrapped
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..overview.collection import remedy
from ..widgets.canvas import Line
from ..words.spoken import say

INDENT = "  "
MICROSECOND = 1000


@dataclass(frozen=True, slots=True)
class Scene:
    """In what a slice is shown: the look, and what is known of its profile."""

    look: Look
    origin: int
    """The instant from which places are told, ns."""
    since: str
    """What a title says of that."""
    profile: ProfilesRow
    missing: Collection[str]
    """What the profile holds nothing of, as ``health`` names it."""
    cut_off: Mapping[int, int | None]

    def place(self, ts: int) -> str:
        """Return an instant as a place from the origin."""
        return numbers.place(ts - self.origin, MICROSECOND, numbers.MILLISECONDS)

    def without(self, missing: str, sentence: str) -> str:
        """Return a sentence on what this slice has not; with how to collect it if none has it."""
        said = None
        if missing in self.missing:
            said = remedy(missing, self.profile, self.cut_off)
        if said:
            return say("stated_with_remedy", what=sentence, remedy=said)
        return say("stated", what=sentence)


def told(
    sentence: str, width: int, look: Look, *, attributes: Attributes = Attributes.NONE
) -> list[Line]:
    """Return a clean sentence broken to the width of its section."""
    lines = wrapped(look.text(sentence), width - len(INDENT))
    return [[Run(INDENT + line, Role.PLAIN, attributes=attributes)] for line in lines]
