"""The peers of a made-up rank: how many ns after it each comes to a collective."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol


class Meeting(NamedTuple):
    """A collective of a step, as the rank that comes to it knows it.

    ``starts`` is when each rank came to it the last time that the story was told, where all
    ranks are told; ``slack`` is what the story adjusts to let a step end when it shall.
    """

    rank: int
    bucket: int
    slack: int
    starts: Sequence[int]


class Peers(Protocol):
    """Says who comes late."""

    @property
    def ranks(self) -> int:
        """Size of the group."""
        ...

    @property
    def told(self) -> Sequence[int]:
        """Ranks whose story is told, collected or not."""
        ...

    def late(self, meeting: Meeting, random: Random) -> Mapping[int, int]:
        """Return ns by which peers come later than the rank; whoever is missing is there."""
        ...


class OneLate(NamedTuple):
    """One peer always comes last, another by as much as the step's length asks for."""

    peer: int = 5
    ranks: int = 8
    told: Sequence[int] = (0,)

    def late(self, meeting: Meeting, random: Random) -> Mapping[int, int]:
        """Let some come a little later and one much."""
        late = {peer: random.randrange(14_000) for peer in (1, 4, 7)}
        usual = random.randrange(90_000)
        late[self.peer] = (2_640_000 + usual, meeting.slack, 410_000 + usual)[meeting.bucket]
        return late


class Punctual(NamedTuple):
    """Nobody is later than a few microseconds."""

    ranks: int = 8
    told: Sequence[int] = (0,)

    def late(self, meeting: Meeting, random: Random) -> Mapping[int, int]:
        """Let every peer come within 9 us."""
        peers = (rank for rank in range(self.ranks) if rank != meeting.rank)
        return {peer: random.randrange(9_000) for peer in peers}


class Together(NamedTuple):
    """Every rank is told, and comes when its own work lets it."""

    ranks: int = 4

    @property
    def told(self) -> Sequence[int]:
        """All of them."""
        return range(self.ranks)

    def late(self, meeting: Meeting, random: Random) -> Mapping[int, int]:
        """Return who came how much later the last time, in one clock."""
        del random
        if not meeting.starts:
            return {}
        own = meeting.starts[meeting.rank]
        return {
            peer: start - own for peer, start in enumerate(meeting.starts) if peer != meeting.rank
        }
