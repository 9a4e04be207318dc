"""A row of top: an operator, or all operators of a type, with the sums of its calls."""

from collections.abc import Sequence
from typing import NamedTuple

from ...queries.rows import OperatorTypesRow, TopRow
from ..answers import Answers
from ..draw.core import COLLECTIVE, look_of_core
from ..focus import OperatorKey

NOT_COLLECTED = "not collected"


class Operator(NamedTuple):
    """A row: the calls of an operator, or of all operators of a type."""

    key: OperatorKey
    names: int | None
    """How many names the type has; None for a single operator."""
    calls: int
    total: int
    avg: int
    min: int
    max: int
    period_share: float | None
    kernel_share: float | None

    @property
    def title(self) -> str:
        """Return what it is called, as the file writes it; nameless, by what ran there."""
        name, type_, core = self.key
        return name or type_ or (core if name is not None else None) or NOT_COLLECTED

    @property
    def collective(self) -> bool:
        """Tell whether it communicates, so that it is no kernel time."""
        return look_of_core(self.key.core).letter == COLLECTIVE


def _of_name(row: TopRow) -> Operator:
    key = OperatorKey(row.name, row.type, row.core)
    return Operator(
        key,
        None,
        row.count_,
        row.total,
        row.avg,
        row.min,
        row.max,
        row.period_share,
        row.kernel_share,
    )


def _of_type(row: OperatorTypesRow) -> Operator:
    key = OperatorKey(None, row.type, row.core)
    return Operator(
        key, row.names, row.count_, row.total, row.avg, row.min, row.max, row.period_share,
        row.kernel_share,
    )  # fmt: skip


def ask_operators(
    answers: Answers, rank: int, step: int | None, *, by_type: bool
) -> Sequence[Operator]:
    """Ask for the operators of a rank's step or run, or for their types; most time first."""
    if by_type:
        types = answers.rows("operator_types", OperatorTypesRow, rank=rank, step=step)
        return [_of_type(row) for row in types]
    return [_of_name(row) for row in answers.rows("top", TopRow, rank=rank, step=step)]
