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
        ranks = _ranks(_object(info).get("global_ranks"))
        if ranks:
            groups.append(CommunicationGroup(name, ranks))
    return tuple(groups)


def cluster_groups(document: Mapping[str, object]) -> tuple[CommunicationGroup, ...]:
    """Read ``comm_group_parallel_info`` of the communication_group.json of msprof-analyze.

    There ``group_name`` is the hash, and ``group_id`` the name where it is known. Older files
    list the ranks of groups without any name, which says of no group who is in it.
    """
    listed = document.get("comm_group_parallel_info")
    groups: dict[str, CommunicationGroup] = {}
    for entry in cast("list[object]", listed) if isinstance(listed, list) else ():
        info = _object(entry)
        ranks, hashed, name = (info.get(key) for key in ("rank_set", "group_name", "group_id"))
        if not isinstance(hashed, str) or not hashed or not _ranks(ranks):
            continue
        group = CommunicationGroup(name if isinstance(name, str) else hashed, _ranks(ranks))
        groups[hashed] = group if group.hash == hashed else CommunicationGroup(hashed, group.ranks)
    return tuple(groups.values())


def _ranks(listed: object) -> tuple[int, ...]:
    """Return the ranks of a list in ascending order, as the library numbers them."""
    ranks = cast("list[object]", listed) if isinstance(listed, list) else []
    if not all(type(rank) is int and 0 <= rank < 1 << 31 for rank in ranks):
        return ()
    return tuple(sorted(set(cast("list[int]", ranks))))


def _hash(text: str, prime: int) -> int:
    value = 0
    for letter in text:
        value = value * prime + ord(letter) & _HALF
    return value


def _object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
