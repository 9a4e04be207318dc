"""What stands over the lists of one question: how much of a step it took, and its parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...queries.rows import ProfilesRow
from ..draw import bars, numbers
from ..draw.lines import wrapped
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run, drawn
from ..draw.safe_text import cut
from ..overview.collection import splits_collectives
from ..overview.overview_details import Part
from ..words.spoken import say

HEAD_ROWS = 3

_ROLES = {
    bars.WAITING: Role.WAITING,
    bars.MOVING: Role.MOVING,
    bars.UNSPLIT: Role.COMMUNICATION,
}
_ROLE_OF_SIGN = {sign: role for ink, role in _ROLES.items() for sign in ink}


@dataclass(frozen=True, slots=True)
class QuestionHead:
    """The time that a question is about; texts are clean.

    ``ns`` None is not known; ``note`` says then why, or what the figure leaves out.
    """

    title: str
    role: Role
    ink: bars.Ink
    ns: int | None
    period: int
    of: str
    parts: Sequence[Part]
    note: str = ""

    def lines(self, width: int, look: Look) -> list[list[Run]]:
        """Return its rows: the figure, its bar in the period, and what is in it."""
        value = numbers.time(self.ns) if self.ns is not None else say("unknown")
        role = self.role if self.role in {Role.WAITING, Role.IDLE} else Role.PLAIN
        first = [
            Run(f" {self.title} ", Role.PLAIN),
            Run(value, role, attributes=Attributes.BOLD),
        ]
        if self.ns is not None and self.period:
            first.append(Run(self._share(), Role.PLAIN))
        filled = inked([(self.ns or 0, self.ink)], max(0, width - 2), self.period, look)
        parts = "   ".join(part.text for part in self.parts if part.ns is not None or not self.note)
        said = "   ".join(one for one in (parts, self.note) if one)
        third = [Run(f" {cut(said, max(0, width - 2))}", Role.PLAIN)]
        rows = [first, [Run(" ", Role.PLAIN), *filled], third]
        return [[run._replace(text=look.text(run.text)) for run in row] for row in rows]

    def _share(self) -> str:
        share = numbers.share(self.ns, self.period)
        return f"   {say('share_of', share=share, whole=self.of)}"


def inked(parts: Sequence[tuple[int, bars.Ink]], width: int, whole: int, look: Look) -> list[Run]:
    """Draw parts one after another as ``bars.stacked`` does, each in its colour."""
    text = bars.stacked(parts, width, whole, ascii_level=look.ascii_level)
    looks = [(_ROLE_OF_SIGN.get(sign, Role.PLAIN), Attributes.NONE) for sign in text]
    return drawn(text, looks)


def unsplit_note(ns: int, profile: ProfilesRow) -> str:
    """Say that collectives of ``ns`` are in no figure, in few words; empty if there are none."""
    if not ns:
        return ""
    switch = splits_collectives(profile)
    time = numbers.time(ns)
    if switch:
        return say("not_split_switch", time=time, switch=switch)
    return say("not_split", time=time)


def why_unsplit(profile: ProfilesRow) -> str:
    """Say why transfer and waiting in collectives cannot be told apart; clean text."""
    switch = splits_collectives(profile)
    if switch:
        return say("why_unsplit_switch", switch=switch)
    return say("why_unsplit_absent")


def indented(texts: Sequence[str], width: int, look: Look) -> list[list[Run]]:
    """Return clean sentences as rows of a panel, broken where they are too long."""
    rows = (row for text in texts for row in wrapped(text, max(16, width - 4), indent=""))
    return [[Run(f"  {look.text(row)}", Role.PLAIN)] for row in rows]
