"""All that is asked about one slice, or about one kernel that only the table of kernels has."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from ...queries.rows import (
    CallLengthsRow,
    CallRankRow,
    KernelMetricsRow,
    OperatorCallsRow,
    PeerArrivalsRow,
    SliceCollectiveRow,
)
from ...queries.rows_cores import AicoreKernelsRow
from ...queries.rows_timeline import (
    ChainRow,
    LaunchedSummaryRow,
    NeighboursRow,
    SliceArgsRow,
    SliceRow,
)
from ..answers import Answers
from ..draw.core import COLLECTIVE, look_of_core
from ..draw.safe_text import clean
from ..focus import Selection, Window
from ..kernel.pipes import Core, cores_of

LENGTH_PARTS = 240
"""Parts of the histogram, of which a cell of the screen takes several."""

MOST_PEERS = 5
HOST_LANES = frozenset({"python", "cann", "host"})
COMMUNICATION_LANES = frozenset({"group", "plane"})


class Arg(NamedTuple):
    """An arg of a slice or a measured column of its kernel: where it stands, name, value."""

    source: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """A kernel, its measured columns, and where it stands among the calls of its operator."""

    row: OperatorCallsRow
    metrics: Sequence[KernelMetricsRow]
    rank: CallRankRow | None
    lengths: Sequence[CallLengthsRow]
    bound: AicoreKernelsRow | None
    """What bounds it, and its blocks; None if it ran on no AI core."""

    @property
    def cores(self) -> list[Core]:
        """Return the cores whose units were measured while it ran."""
        return cores_of(self.row, self.metrics, self.bound.least_ratio if self.bound else None)


@dataclass(frozen=True, slots=True)
class Facts:
    """A slice and what is around it; at least one of ``slice`` and ``kernel`` is there."""

    slice: SliceRow | None
    kernel: KernelFacts | None
    neighbours: Sequence[NeighboursRow] = ()
    chain: Sequence[ChainRow] = ()
    launched: LaunchedSummaryRow | None = None
    collective: SliceCollectiveRow | None = None
    arrivals: Sequence[PeerArrivalsRow] = ()
    args: Sequence[Arg] = ()

    @property
    def main(self) -> SliceRow | OperatorCallsRow:
        """Return the slice, or the kernel that has none."""
        if self.slice is not None:
            return self.slice
        if self.kernel is not None:
            return self.kernel.row
        raise ValueError("there are no facts without a slice or a kernel")

    @property
    def name(self) -> str:
        """Return the name of the slice, clean."""
        return clean(self.main.name)

    @property
    def operator(self) -> str:
        """Return what its operator is called, clean: the type, or without one the name."""
        return clean((self.kernel.row.type if self.kernel else None) or self.main.name)

    @property
    def selection(self) -> Selection:
        """Return it as what all views look at."""
        one = self.main
        return Selection(Window(one.ts, one.ts + one.dur), self.name, slice_id=one.slice_id)

    @property
    def on_host(self) -> bool:
        """Tell whether it is a call on the host."""
        return self.slice is not None and self.slice.lane_kind in HOST_LANES

    @property
    def communicates(self) -> bool:
        """Tell whether it is a collective, which is no kernel of a core."""
        return self.kernel is not None and look_of_core(self.kernel.row.core).letter == COLLECTIVE

    def role(self, role: str) -> list[ChainRow]:
        """Return the slices of a role in the chain, the nearest first."""
        return [row for row in self.chain if row.role == role]


def ask_facts(answers: Answers, item: int | OperatorCallsRow, step: int | None) -> Facts | None:
    """Ask all about a slice, or about a kernel; None if there is no such slice.

    Calls of its operator are those of ``step`` if it ran in it, None is all.
    """
    if isinstance(item, OperatorCallsRow):
        return Facts(None, _ask_kernel(answers, item, step))
    one = answers.first("slice", SliceRow, slice_id=item)
    if one is None:
        return None
    row = None
    if one.kernel_id is not None:
        row = answers.first("operator_calls", OperatorCallsRow, kernel_id=one.kernel_id)
    launched = None
    if one.lane_kind in HOST_LANES:
        launched = answers.first("launched_summary", LaunchedSummaryRow, slice_id=item)
    collective, arrivals = _ask_collective(answers, one)
    args = None
    if one.arg_set_id is not None:
        args = answers.first("slice_args", SliceArgsRow, arg_set_id=one.arg_set_id)
    return Facts(
        one,
        None if row is None else _ask_kernel(answers, row, step),
        neighbours=answers.rows("neighbours", NeighboursRow, slice_id=item, count=1),
        chain=answers.rows("chain", ChainRow, slice_id=item),
        launched=launched,
        collective=collective,
        arrivals=arrivals,
        args=args_of(args.args if args else None),
    )


def _ask_kernel(answers: Answers, row: OperatorCallsRow, step: int | None) -> KernelFacts:
    alike = {"kernel_id": row.kernel_id, "step": row.step if step is not None else None}
    return KernelFacts(
        row,
        answers.rows("kernel_metrics", KernelMetricsRow, kernel_id=row.kernel_id),
        answers.first("call_rank", CallRankRow, **alike),
        answers.rows("call_lengths", CallLengthsRow, parts=LENGTH_PARTS, **alike),
        answers.first("aicore_kernels", AicoreKernelsRow, kernel_id=row.kernel_id),
    )


def _ask_collective(
    answers: Answers, one: SliceRow
) -> tuple[SliceCollectiveRow | None, Sequence[PeerArrivalsRow]]:
    if one.lane_kind not in COMMUNICATION_LANES:
        return None, ()
    found = answers.first("slice_collective", SliceCollectiveRow, slice_id=one.slice_id)
    if found is None:
        return None, ()
    asked = {"collective_id": found.collective_id, "limit": MOST_PEERS}
    return found, answers.rows("peer_arrivals", PeerArrivalsRow, **asked)


def ask_other_call(
    answers: Answers, facts: Facts, *, forward: bool
) -> int | OperatorCallsRow | None:
    """Return the call of the operator after a kernel, or the one before; None without one."""
    rank = facts.kernel.rank if facts.kernel else None
    if rank is None:
        return None
    kernel_id = rank.next_kernel_id if forward else rank.previous_kernel_id
    if kernel_id is None:
        return None
    other = answers.first("operator_calls", OperatorCallsRow, kernel_id=kernel_id)
    return other if other is None or other.slice_id is None else other.slice_id


class _Digits(str):
    """A number as it is written."""

    __slots__ = ()


def args_of(text: str | None) -> list[Arg]:
    """Return the args that a JSON text holds, nested ones under the names around them.

    A text of several lines is an arg for each. What is no JSON object is one arg with its
    text. Names and values are as in the file.
    """
    if not text:
        return []
    try:
        given: object = json.loads(text, parse_int=_Digits, parse_float=_Digits)
        if isinstance(given, dict):
            return list(_flat(cast("dict[str, object]", given), ""))
    except (ValueError, RecursionError):
        pass
    return [Arg("args", "text", text)]


def _flat(given: dict[str, object], before: str) -> Iterator[Arg]:
    for name, value in given.items():
        if isinstance(value, dict) and value:
            yield from _flat(cast("dict[str, object]", value), f"{before}{name}.")
        elif isinstance(value, str):
            # A call stack is a text of many lines.
            for line in value.splitlines() or [""]:
                yield Arg("args", before + name, line)
        else:
            yield Arg("args", before + name, _json(value))


def _json(value: object) -> str:
    """Return a value as JSON, its numbers as they were written."""
    match value:
        case _Digits():
            return str(value)
        case list():
            parts = cast("list[object]", value)
            return f"[{', '.join(map(_json, parts))}]"
        case dict():
            named = cast("dict[str, object]", value)
            return f"{{{', '.join(f'{_json(name)}: {_json(one)}' for name, one in named.items())}}}"
        case _:
            return json.dumps(value, ensure_ascii=False)
