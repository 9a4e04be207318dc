"""The sections about what a slice belongs to: its lane, its launch, its collective, its args."""

from collections.abc import Iterator, Sequence

from ...queries.rows_timeline import ChainRow, LaunchedSummaryRow, NeighboursRow
from ..draw import numbers
from ..draw.facts import LABEL_CELLS, Fact, fact_lines
from ..draw.names import fitted
from ..draw.peer_name import peer_name
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, clean, pad
from ..widgets.canvas import Line
from ..widgets.sheet import Section
from .details_facts import Arg, Facts
from .details_scene import INDENT, Scene, told

MODULE = "nn.Module"
"""What names of Python calls that are a module of the network begin with."""

MOST_CALLS = 9
"""Calls around a launch that are shown; a module further out is shown all the same."""

MOST_ARROWS = 6
MOST_ARGS = 6
NAME_CELLS = 10
LEAST_NAME = 8
INDENT_CELLS = len(INDENT) + LABEL_CELLS + 1


def around_section(facts: Facts, scene: Scene) -> Section:
    """Return what is before, after and around it on its lane."""
    by_position = {row.position: row for row in facts.neighbours}
    here, before, after = (by_position.get(at) for at in (0, -1, 1))
    one = facts.slice

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        if one is None:
            said = "It is only in the table of kernels: what ran around it is not known."
            return told(said, width, scene.look)
        room = width - INDENT_CELLS
        shown = [
            Fact("before", _neighbour(before, here, room, "first on its lane")),
            Fact("after", _neighbour(after, after, room, "last on its lane")),
        ]
        if one.parent_name is not None:
            shown.append(Fact("inside", _beside(one.parent_name, "   u opens it", room)))
        return fact_lines(shown, width, scene.look)

    lane = clean(one.thread_name or one.lane_kind or "") if one else ""
    return Section("Around it", draw, lane)


def _neighbour(
    row: NeighboursRow | None, gapped: NeighboursRow | None, room: int, none: str
) -> str:
    """Say what a neighbour is, and the gap in front of ``gapped``."""
    if row is None:
        return none
    gap = None if gapped is None else gapped.gap_ns
    if gap is None:
        between = ""
    elif gap < 0:
        between = f"   overlaps by {numbers.time(-gap)}"
    else:
        between = f"   gap {numbers.time(gap)}"
    return _beside(row.name, f"   {numbers.time(row.dur)}{between}", room)


def _beside(name: str, figures: str, room: int) -> str:
    """Return a name and its clean figures, the name cut so that the figures have their room."""
    return fitted(clean(name), max(LEAST_NAME, room - cell_len(figures))) + figures


def origin_section(facts: Facts, scene: Scene) -> Section:
    """Return the host calls that it came from, up to the module of the network."""

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        lines = list(_origin_lines(facts, width, scene))
        return lines or told(_no_origin(facts, scene), width, scene.look)

    return Section("Came from", draw, "host")


def _origin_lines(facts: Facts, width: int, scene: Scene) -> Iterator[Line]:
    launch, enqueue = facts.role("launch"), facts.role("enqueue")
    callers = [row for row in facts.role("slice") if row.distance]
    for label, rows in (("launch", launch), ("enqueue", enqueue), ("called by", callers)):
        if not rows:
            continue
        module = next((at for at, row in enumerate(rows) if row.name.startswith(MODULE)), None)
        most = MOST_CALLS if module is None else min(MOST_CALLS, module + 1)
        for at, row in enumerate(rows[:most]):
            yield _call_line(row, label if at == 0 else "in", width, scene, first=at == 0)
        if module is not None and module >= most:
            yield _call_line(rows[module], "module", width, scene, first=False)
        more = len(rows) - most - (module is not None and module >= most)
        if more > 0:
            said = f"{numbers.counted(more, 'call')} further out"
            yield [Run(f"{INDENT}{'':<{NAME_CELLS}}{said}", Role.DIM)]


def _call_line(row: ChainRow, label: str, width: int, scene: Scene, *, first: bool) -> Line:
    tail = f"   {scene.place(row.ts)}"
    if first and row.thread_name:
        tail += f"   {clean(row.thread_name)}"
    if first and row.inferred:
        tail += "   (inferred)"
    room = max(LEAST_NAME, width - len(INDENT) - NAME_CELLS - cell_len(tail))
    return [
        Run(f"{INDENT}{label:<{NAME_CELLS}}", Role.DIM),
        Run(scene.look.text(pad(fitted(clean(row.name), room), room)), Role.PLAIN),
        Run(scene.look.text(tail), Role.DIM),
    ]


def _no_origin(facts: Facts, scene: Scene) -> str:
    if facts.slice is None:
        return "It is only in the table of kernels: its launch is not known."
    if facts.on_host:
        return "It is the outermost call of its thread."
    return scene.without("launches", "No host call is linked to it")


def launched_section(found: LaunchedSummaryRow | None, scene: Scene) -> Section:
    """Return what a host call put onto the device."""

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        if found is None or not found.count_:
            return told("Neither it nor a call inside it launched anything.", width, scene.look)
        room = width - INDENT_CELLS
        sums = (
            f"{numbers.counted(found.count_, 'device slice')}, {numbers.time(found.total)} in sum"
        )
        inferred = f", {found.inferred:,} of them inferred" if found.inferred else ""
        first = _beside(found.first_name, f"   {scene.place(found.ts)}", room)
        facts = [Fact("launched", sums + inferred, strong=True), Fact("first", first)]
        if found.count_ > 1:
            last = _beside(found.last_name, f"   ends {scene.place(found.end_ts)}", room)
            facts.append(Fact("last", last))
        facts.append(Fact("", "] goes to the first"))
        return fact_lines(facts, width, scene.look)

    return Section("Launched", draw, "device")


def communication_section(facts: Facts, scene: Scene) -> Section | None:
    """Return what the collective moved and for whom it waited; None for anything else."""
    found = facts.collective
    if found is None:
        return None

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: FBT001 the form of Section
        shown: list[Fact] = []
        if found.slice_id != facts.main.slice_id:
            shown.append(
                Fact("collective", f"{fitted(clean(found.name), 40)} {numbers.time(found.dur)}")
            )
        shown.append(Fact("group", clean(found.group) if found.group else "not given"))
        shown.append(
            Fact("message", "size not given" if found.bytes is None else numbers.size(found.bytes))
        )
        if found.transfer_ns is None or found.wait_ns is None:
            missing = "transfer and waiting cannot be told apart: no plane tasks in this profile"
            return [
                *fact_lines(shown, width, scene.look, compact=compact),
                *told(missing, width, scene.look),
            ]
        rate = numbers.rate(found.bytes, found.transfer_ns) if found.bytes else ""
        moved = f"{numbers.time(found.transfer_ns)}   {numbers.share(found.transfer_ns, found.dur)}"
        waited = f"{numbers.time(found.wait_ns)}   {numbers.share(found.wait_ns, found.dur)}"
        shown += [
            Fact("transfer", f"{moved}   {rate}".rstrip(), role=Role.PLAIN),
            Fact("waiting", waited, strong=True),
        ]
        number = found.last_number
        last = "unknown" if number is None else peer_name(found.last_peer, number)
        shown.append(Fact("last came", last))
        shown += [
            Fact(f"for {peer_name(row.peer, row.number)}", f"waited {numbers.time(row.wait_ns)}")
            for row in facts.arrivals
        ]
        return fact_lines(shown, width, scene.look, compact=compact)

    return Section("Communication", draw)


def arrows_section(facts: Facts, scene: Scene) -> Section | None:
    """Return the arrows that end or begin at it; None without any."""
    arrows = [
        (label, row)
        for role, label in (("flow_from", "from"), ("flow_to", "to"))
        for row in facts.role(role)
    ]
    if not arrows:
        return None

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        lines: list[Line] = []
        for label, row in arrows[:MOST_ARROWS]:
            tail = f"   {scene.place(row.ts)}   {clean(row.link or 'arrow without a kind')}"
            room = max(LEAST_NAME, width - len(INDENT) - NAME_CELLS - cell_len(tail))
            lines.append(
                [
                    Run(f"{INDENT}{label:<{NAME_CELLS}}", Role.DIM),
                    Run(scene.look.text(pad(fitted(clean(row.name), room), room)), Role.PLAIN),
                    Run(scene.look.text(tail), Role.DIM),
                ]
            )
        more = len(arrows) - MOST_ARROWS
        if more > 0:
            lines.append([Run(f"{INDENT}{numbers.counted(more, 'arrow')} more", Role.DIM)])
        return lines

    return Section("Arrows", draw)


def args_section(args: Sequence[Arg], scene: Scene) -> Section | None:
    """Return the first args; None without any."""
    if not args:
        return None

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        name_cells = min(24, max(cell_len(clean(one.name)) for one in args[:MOST_ARGS]))
        room = max(LEAST_NAME, width - len(INDENT) - name_cells - 2)
        lines: list[Line] = []
        for one in args[:MOST_ARGS]:
            name = pad(clean(one.name, name_cells), name_cells)
            lines.append(
                [
                    Run(scene.look.text(f"{INDENT}{name}  "), Role.DIM),
                    Run(scene.look.text(clean(one.value, room)), Role.PLAIN),
                ]
            )
        return lines

    return Section("Args", draw, f"{len(args):,}, x shows all")
