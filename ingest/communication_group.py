"""Which ranks a communication group has, as the profiler's metadata list them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

_HALF: Final = (1 << 32) - 1
_PRIMES: Final = (29, 131)


@dataclass(frozen=True, slots=True)
class CommunicationGroup:
    """A group by the name that the collective library gave it, and its ranks in order.

    The place of a rank among them is the number by which the group's tasks call it.
    """

    name: str
    ranks: tuple[int, ...]

    @property
    def hash(self) -> str:
        """The name as timelines and communication.json write it: two 32-bit hashes side by side.

        The rule is that of msprof-analyze, which joins metadata and tables by it.
        """
        high, low = (_hash(self.name, prime) for prime in _PRIMES)
        return str(high << 32 | low)


def listed_groups(metadata: Mapping[str, object]) -> tuple[CommunicationGroup, ...]:
    """Read ``parallel_group_info`` of profiler_metadata; a group without ranks says nothing."""
    listed = metadata.get("parallel_group_info")
    if not isinstance(listed, dict):
        return ()
    groups: list[CommunicationGroup] = []
    for name, info in cast("dict[str, object]", listed).items():
        ranks = cast("dict[str, object]", info).get("global_ranks") if _is_object(info) else None
        if isinstance(ranks, list) and ranks:
            numbers = cast("list[object]", ranks)
            if all(type(rank) is int and 0 <= rank < 1 << 31 for rank in numbers):
                # The library numbers ranks in ascending order, however they are listed.
                groups.append(
                    CommunicationGroup(name, tuple(sorted(set(cast("list[int]", numbers)))))
                )
    return tuple(groups)


def _hash(text: str, prime: int) -> int:
    value = 0
    for letter in text:
        value = value * prime + ord(letter) & _HALF
    return value


def _is_object(value: object) -> bool:
    return isinstance(value, dict)
