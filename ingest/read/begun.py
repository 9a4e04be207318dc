"""Slices of which the end is still to come."""

from collections.abc import Iterator
from dataclasses import dataclass

from .event import TaskArgs

Key = tuple[int, str]
"""Number of a lane, and what its begins and ends have in common; empty for a thread's."""


@dataclass(slots=True)
class Begun:
    """A slice of which only the begin is known."""

    seq: int
    lane: int
    ts: int
    name: str | None
    cat: str | None
    ph: str
    task: TaskArgs
    args: bytes
    """Text of its args; empty for none. Those of its end are joined to them."""

    def join_args(self, end: bytes) -> None:
        """Join the args of the end to those of the begin, both objects; the end's stand last."""
        begin = self.args
        if not begin[1:-1].strip() or not (begin.endswith(b"}") and end.startswith(b"{")):
            self.args = end
        elif end[1:-1].strip():
            self.args = begin[:-1] + b"," + end[1:]


class OpenSlices:
    """Begins that wait for their ends, the innermost last."""

    def __init__(self) -> None:
        self._stacks: dict[Key, list[Begun]] = {}

    def __iter__(self) -> Iterator[Begun]:
        return (begun for stack in self._stacks.values() for begun in stack)

    def has(self, key: Key) -> bool:
        """Tell whether any begin waits there."""
        return bool(self._stacks.get(key))

    def push(self, key: Key, begun: Begun) -> None:
        """Let a begin wait."""
        self._stacks.setdefault(key, []).append(begun)

    def pop(self, key: Key, name: str | None) -> Begun | None:
        """Return the innermost begin of a name, or the innermost without a name; None if none."""
        stack = self._stacks.get(key)
        if not stack:
            return None
        if not name:
            return stack.pop()
        for place in range(len(stack) - 1, -1, -1):
            if stack[place].name == name:
                return stack.pop(place)
        return None

    def clear(self) -> None:
        """Forget all begins."""
        self._stacks.clear()
