"""A row of top: an operator, or another group of calls, with the sums of its calls."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from ...queries.rows import TopRow
from ..answers import Answers
from ..draw.core import COLLECTIVE, look_of_core
from ..draw.safe_text import clean
from ..focus import OperatorKey
from ..kernel.tensors import shapes_text, types_text
from ..scope import Scope
from ..words.spoken import say

TITLE_CELLS = 200

Grouping = Literal["name", "type", "core", "shape", "dtype", "stream"]

GROUPINGS: Final[Mapping[Grouping, tuple[str, str]]] = {
    "name": ("operator", "Operators"),
    "type": ("type", "Types"),
    "core": ("core", "Cores"),
    "shape": ("shape", "Shapes"),
    "dtype": ("data type", "Data types"),
    "stream": ("stream", "Streams"),
}
"""What calls can be grouped by, in the order of the key, and what one and all are called."""


class Lengths(NamedTuple):
    """Lengths of a group's calls that occur: the one in the middle, and that of 95 %."""

    p50: int | None
    p95: int | None


class Operator(NamedTuple):
    """A row: the calls of an operator, or of another group."""

    key: OperatorKey
    names: int | None
    """How many names the group has; None for a single operator."""
    calls: int
    total: int
    avg: int
    min: int
    max: int
    spread: float | None
    period_share: float | None
    kernel_share: float | None
    inside: int
    """What of total lies in the marked range; all of it without one."""
    grouping: Grouping = "name"

    @property
    def title(self) -> str:
        """Return what it is called, as the file writes it; nameless, by what ran there."""
        key = self.key
        match self.grouping:
            case "core":
                return key.core or say("not_collected")
            case "stream":
                if key.stream_id is None:
                    return say("not_collected")
                return say("stream", stream=key.stream_id)
            case "shape":
                return f"{self._of_type}  {shapes_text(key.input_shapes, TITLE_CELLS)}"
            case "dtype":
                return f"{self._of_type}  {types_text(key.input_dtypes, TITLE_CELLS)}"
            case "name" | "type":
                alone = key.core if key.name is not None else None
                return key.name or key.type or alone or say("not_collected")

    @property
    def _of_type(self) -> str:
        return clean(self.key.type or self.key.core or say("not_collected"))

    @property
    def collective(self) -> bool:
        """Tell whether it communicates, so that it is no kernel time."""
        return look_of_core(self.key.core).letter == COLLECTIVE


def _key(row: TopRow) -> OperatorKey:
    return OperatorKey(
        row.name, row.type, row.core, row.input_shapes, row.input_dtypes, row.stream_id
    )


def ask_operators(answers: Answers, scope: Scope, grouping: Grouping) -> Sequence[Operator]:
    """Ask for the operators of a scope, or for other groups; most time first."""
    return [
        Operator(
            _key(row),
            None if grouping == "name" else row.names,
            row.count_,
            row.total,
            row.avg,
            row.min,
            row.max,
            row.spread,
            row.period_share,
            row.kernel_share,
            row.inside,
            grouping,
        )
        for row in answers.rows("top", TopRow, by=grouping, **scope.asked)
    ]


def ask_lengths(
    answers: Answers, scope: Scope, grouping: Grouping
) -> Mapping[OperatorKey, Lengths]:
    """Ask for what takes longer to know, of the groups of ``ask_operators``."""
    rows = answers.rows("top", TopRow, by=grouping, percentiles=True, **scope.asked)
    return {_key(row): Lengths(row.p50, row.p95) for row in rows}
