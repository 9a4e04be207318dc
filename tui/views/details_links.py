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
from ..words.spoken import counted, say, shown
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
            return told(say("surroundings_unknown"), width, scene.look)
        room = width - INDENT_CELLS
        told_here = [
            Fact("before", _neighbour(before, here, room, say("first_on_lane"))),
            Fact("after", _neighbour(after, after, room, say("last_on_lane"))),
        ]
        if one.parent_name is not None:
            told_here.append(Fact("inside", _beside(one.parent_name, say("opens_parent"), room)))
        return fact_lines(told_here, width, scene.look)

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
        between = f"   {say('overlaps_by', time=numbers.time(-gap))}"
    else:
        between = f"   {say('time_between', time=numbers.time(gap))}"
    return _beside(row.name, f"{numbers.time(row.dur)}{between}", room)


def _beside(name: str, figures: str, room: int) -> str:
    """Return a name and its clean figures, the name cut so that the figures have their room."""
    figures = f"   {figures}"
    return fitted(clean(name), max(LEAST_NAME, room - cell_len(figures))) + figures


def origin_section(facts: Facts, scene: Scene) -> Section:
    """Return the host calls that it came from, up to the module of the network."""

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        lines = list(_origin_lines(facts, width, scene))
        return lines or told(_no_origin(facts, scene), width, scene.look)

    return Section("Came from", draw, shown("host"))


def _origin_lines(facts: Facts, width: int, scene: Scene) -> Iterator[Line]:
    launch, enqueue = facts.role("launch"), facts.role("enqueue")
    callers = [row for row in facts.role("slice") if row.distance]
    for text, rows in (("call_launch", launch), ("call_enqueue", enqueue), ("call_by", callers)):
        if not rows:
            continue
        module = next((at for at, row in enumerate(rows) if row.name.startswith(MODULE)), None)
        most = MOST_CALLS if module is None else min(MOST_CALLS, module + 1)
        for at, row in enumerate(rows[:most]):
            label = say("call_in" if at else text)
            yield _call_line(row, label, width, scene, first=at == 0)
        if module is not None and module >= most:
            yield _call_line(rows[module], say("call_module"), width, scene, first=False)
        more = len(rows) - most - (module is not None and module >= most)
        if more > 0:
            said = say("calls_further_out", calls=counted(more, "call"))
            yield [Run(f"{INDENT}{'':<{NAME_CELLS}}{said}", Role.DIM)]


def _call_line(row: ChainRow, label: str, width: int, scene: Scene, *, first: bool) -> Line:
    tail = f"   {scene.place(row.ts)}"
    if first and row.thread_name:
        tail += f"   {clean(row.thread_name)}"
    if first and row.inferred:
        tail += f"   {say('inferred_mark')}"
    room = max(LEAST_NAME, width - len(INDENT) - NAME_CELLS - cell_len(tail))
    return [
        Run(INDENT + pad(label, NAME_CELLS), Role.DIM),
        Run(scene.look.text(pad(fitted(clean(row.name), room), room)), Role.PLAIN),
        Run(scene.look.text(tail), Role.DIM),
    ]


def _no_origin(facts: Facts, scene: Scene) -> str:
    if facts.slice is None:
        return say("launch_unknown")
    if facts.on_host:
        return say("outermost_call")
    return scene.without("launches", say("no_host_call"))


def launched_section(found: LaunchedSummaryRow | None, scene: Scene) -> Section:
    """Return what a host call put onto the device."""

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        if found is None or not found.count_:
            return told(say("launched_nothing"), width, scene.look)
        room = width - INDENT_CELLS
        slices = counted(found.count_, "device slice")
        sums = say("launched_in_sum", slices=slices, time=numbers.time(found.total))
        if found.inferred:
            sums = say("inferred_of_them", what=sums, count=f"{found.inferred:,}")
        first = _beside(found.first_name, scene.place(found.ts), room)
        facts = [Fact("launched", sums, strong=True), Fact("first", first)]
        if found.count_ > 1:
            last = _beside(found.last_name, say("ends_at", place=scene.place(found.end_ts)), room)
            facts.append(Fact("last", last))
        facts.append(Fact("", say("goes_to_first")))
        return fact_lines(facts, width, scene.look)

    return Section("Launched", draw, shown("device"))


def communication_section(facts: Facts, scene: Scene) -> Section | None:
    """Return what the collective moved and for whom it waited; None for anything else."""
    found = facts.collective
    if found is None:
        return None

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: FBT001 the form of Section
        parts: list[Fact] = []
        if found.slice_id != facts.main.slice_id:
            parts.append(
                Fact("collective", f"{fitted(clean(found.name), 40)} {numbers.time(found.dur)}")
            )
        parts.append(Fact("group", clean(found.group) if found.group else say("not_given")))
        parts.append(
            Fact(
                "message",
                say("size_not_given") if found.bytes is None else numbers.size(found.bytes),
            )
        )
        if found.transfer_ns is None or found.wait_ns is None:
            return [
                *fact_lines(parts, width, scene.look, compact=compact),
                *told(say("planes_missing"), width, scene.look),
            ]
        rate = numbers.rate(found.bytes, found.transfer_ns) if found.bytes else ""
        moved = f"{numbers.time(found.transfer_ns)}   {numbers.share(found.transfer_ns, found.dur)}"
        waited = f"{numbers.time(found.wait_ns)}   {numbers.share(found.wait_ns, found.dur)}"
        parts += [
            Fact("transfer", f"{moved}   {rate}".rstrip(), role=Role.PLAIN),
            Fact("waiting", waited, strong=True),
        ]
        number = found.last_number
        last = say("unknown") if number is None else peer_name(found.last_peer, number)
        parts.append(Fact("last came", last))
        parts += [
            Fact(
                say("for_peer", peer=peer_name(row.peer, row.number)),
                say("waited_for_time", time=numbers.time(row.wait_ns)),
            )
            for row in facts.arrivals
        ]
        return fact_lines(parts, width, scene.look, compact=compact)

    return Section("Communication", draw)


def arrows_section(facts: Facts, scene: Scene) -> Section | None:
    """Return the arrows that end or begin at it; None without any."""
    arrows = [
        (label, row)
        for role, label in (("flow_from", say("arrow_from")), ("flow_to", say("arrow_to")))
        for row in facts.role(role)
    ]
    if not arrows:
        return None

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        lines: list[Line] = []
        for label, row in arrows[:MOST_ARROWS]:
            tail = f"   {scene.place(row.ts)}   {clean(row.link or say('arrow_without_kind'))}"
            room = max(LEAST_NAME, width - len(INDENT) - NAME_CELLS - cell_len(tail))
            lines.append(
                [
                    Run(INDENT + pad(label, NAME_CELLS), Role.DIM),
                    Run(scene.look.text(pad(fitted(clean(row.name), room), room)), Role.PLAIN),
                    Run(scene.look.text(tail), Role.DIM),
                ]
            )
        more = len(arrows) - MOST_ARROWS
        if more > 0:
            lines.append(
                [Run(INDENT + say("arrows_more", arrows=counted(more, "arrow")), Role.DIM)]
            )
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

    return Section("Args", draw, say("args_in_all", count=f"{len(args):,}"))
