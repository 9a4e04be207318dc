"""The sections about one slice: what it is, its time, its units, its shapes, its like."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ...queries.rows import OperatorCallsRow, ProfilesRow
from ...queries.rows_timeline import SliceRow
from ..draw import numbers
from ..draw.core import look_of_core
from ..draw.facts import Fact, fact_lines
from ..draw.histogram import histogram, place_in
from ..draw.look import Look
from ..draw.role import Role, role_of
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, cut, pad
from ..kernel.tensors import Tensors, tensors
from ..widgets.canvas import Line
from ..widgets.sheet import Section
from ..words.spoken import counted, say, shown
from .details_facts import LENGTH_PARTS, Facts, KernelFacts
from .details_scene import INDENT, Scene, told

MOST_TENSOR_ROWS = 4
LABEL_CELLS = 6
LEAST_SHAPES = 8
BETWEEN_SHAPES = "   "


def identity(facts: Facts, scene: Scene) -> list[Line]:
    """Return the name of the slice, and the row on what ran it."""
    kernel, look = facts.kernel, scene.look
    names = [Run(f" {facts.operator}", Role.PLAIN, attributes=Attributes.BOLD)]
    if facts.name != facts.operator:
        names.append(Run(f"  {facts.name}", Role.PLAIN))
    shown = "   ".join(_identity_parts(facts))
    if kernel is not None:
        core = look_of_core(kernel.row.core)
        swatch, role = core.letter, core.role
    else:
        swatch, role = "", role_of(None, facts.slice.class_ if facts.slice else None)
    mark = [Run(f" {swatch}", role, attributes=Attributes.BOLD)] if swatch.strip() else []
    return [
        [run._replace(text=look.text(run.text)) for run in names],
        [*mark, Run(look.text(f" {shown}"), Role.PLAIN)],
    ]


def _identity_parts(facts: Facts) -> Iterator[str]:
    if facts.kernel is not None:
        yield from _kernel_parts(facts.kernel.row)
    elif facts.slice is not None:
        yield from _slice_parts(facts.slice)
    if facts.slice is None:
        yield say("not_on_timeline")
    yield f"rank {facts.main.rank}"
    if facts.main.step is not None:
        yield say("step", step=facts.main.step)


def _kernel_parts(row: OperatorCallsRow) -> Iterator[str]:
    yield clean(row.core) if row.core else say("core_not_collected")
    if row.stream_id is not None:
        yield say("stream", stream=row.stream_id)
    if row.task_id is not None:
        yield say("task", task=row.task_id)
    if row.op_state:
        yield clean(row.op_state)
    if row.block_num:
        given = {"blocks": row.block_num, "mixed": row.mix_block_num}
        yield say("blocks_mixed" if row.mix_block_num else "blocks", **given)


def _slice_parts(row: SliceRow) -> Iterator[str]:
    yield shown(clean(row.class_ or "other"))
    if row.stream_id is not None:
        yield say("stream", stream=row.stream_id)
    else:
        yield clean(row.thread_name or row.lane_kind or say("lane_without_name"))
    if row.task_id is not None:
        yield say("task", task=row.task_id)
    if row.task_type:
        yield clean(row.task_type)


def time_section(facts: Facts, scene: Scene) -> Section:
    """Return when it was, how long, and how that compares with its operator's calls."""

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: FBT001 the form of Section
        return fact_lines(_time_facts(facts, scene), width, scene.look, compact=compact)

    return Section("Time", draw, scene.since)


def _time_facts(facts: Facts, scene: Scene) -> Iterator[Fact]:
    one, kernel = facts.main, facts.kernel
    yield Fact("start", scene.place(one.ts))
    yield Fact(
        "kernel time" if kernel and not facts.communicates else "length",
        numbers.time(one.dur),
        strong=True,
    )
    if facts.slice is not None and facts.slice.unfinished:
        yield Fact("end", say("never_ended_in_file"), role=Role.IDLE)
    if kernel is not None:
        yield Fact(
            "waited", say("not_given") if kernel.row.wait is None else numbers.time(kernel.row.wait)
        )
        if kernel.rank is not None:
            like = kernel.rank
            at, of = f"{like.longer + 1:,}", f"{like.count_:,}"
            yield Fact("rank by time", say("some_of_all", some=at, all=of))
            yield Fact("share of them", numbers.share(one.dur, like.total))
        yield from _counters(kernel)
    yield Fact("wall clock", _wall_clock(one.ts, scene.profile))


def _counters(kernel: KernelFacts) -> Iterator[Fact]:
    """Yield what the counters of the cores that ran tell of the whole kernel."""
    written = {one.metric: one.value for one in kernel.metrics if one.value is not None}
    for prefix, ran in (("aic", kernel.row.aicore_time), ("aiv", kernel.row.aiv_time)):
        cycles = written.get(f"{prefix}_total_cycles")
        missed = written.get(f"{prefix}_icache_miss_rate")
        if ran and cycles is not None:
            yield Fact("cycles", numbers.count(round(cycles)))
        if ran and missed is not None:
            yield Fact("icache miss", numbers.ratio(missed))
    if kernel.row.cube_utilization is not None and kernel.row.aicore_time:
        yield Fact("cube use", numbers.ratio(kernel.row.cube_utilization))


def _wall_clock(ts: int, profile: ProfilesRow) -> str:
    if profile.clock_offset is None:
        return say("clock_unknown", clock=clean(profile.clock))
    seconds, ns = divmod(ts + profile.clock_offset, numbers.SECONDS.size)
    try:
        day = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return say("since_1970", seconds=f"{seconds}.{ns:09}")
    return f"{day:%Y-%m-%d %H:%M:%S}.{ns:09} UTC"


def shapes_section(kernel: KernelFacts, scene: Scene) -> Section:
    """Return shapes, types and formats of the tensors that went in and came out."""
    row = kernel.row
    sides = (
        (say("tensors_in"), tensors(row.input_shapes, row.input_dtypes, row.input_formats)),
        (say("tensors_out"), tensors(row.output_shapes, row.output_dtypes, row.output_formats)),
    )

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: ARG001, FBT001 alike in both forms
        if not any(groups for _, groups in sides):
            missing = scene.without("shapes", say("no_shapes"))
            return told(missing, width, scene.look)
        room = _room_for_shapes(
            [group for _, groups in sides for group in groups[:MOST_TENSOR_ROWS]], width
        )
        return [line for name, groups in sides for line in _side(name, groups, room, scene.look)]

    return Section("Shapes", draw)


def _room_for_shapes(groups: Sequence[Tensors], width: int) -> int:
    """Return the cells of the column of shapes, beside which types and formats have room."""
    kinds = max(cell_len(_kind(group)) for group in groups)
    longest = max(cell_len(BETWEEN_SHAPES.join(group.shapes)) for group in groups)
    return min(longest, max(LEAST_SHAPES, width - len(INDENT) - LABEL_CELLS - kinds - 3))


def _kind(group: Tensors) -> str:
    return f"{group.dtype}  {group.format}"


def _side(name: str, groups: Sequence[Tensors], room: int, look: Look) -> Iterator[Line]:
    if not groups:
        yield [Run(f"{INDENT}{pad(name, LABEL_CELLS)}{say('none')}", Role.PLAIN)]
    for at, group in enumerate(groups):
        if at == MOST_TENSOR_ROWS:
            more = sum(len(one.shapes) for one in groups[at:])
            said = say("tensors_more", tensors=counted(more, "tensor"))
            yield [Run(f"{INDENT}{'':<{LABEL_CELLS}}{said}", Role.DIM)]
            return
        label = name if at == 0 else ""
        shapes = _shapes(group.shapes, room)
        yield [
            Run(INDENT + pad(label, LABEL_CELLS), Role.DIM),
            Run(look.text(pad(shapes, room) + "   "), Role.PLAIN),
            Run(look.text(_kind(group)), Role.PLAIN),
        ]


def _shapes(shapes: Sequence[str], room: int) -> str:
    """Return shapes in a room; where not all have it, how many there are."""
    text = BETWEEN_SHAPES.join(shapes)
    if cell_len(text) <= room or len(shapes) == 1:
        return cut(text, room)
    count = f"  {counted(len(shapes), 'tensor')}"
    return cut(text, max(1, room - cell_len(count))) + count


def calls_section(facts: Facts, kernel: KernelFacts, scene: Scene) -> Section:
    """Return how long all calls of the operator take, and where this one stands."""
    like = kernel.rank
    if like is None:
        return Section("Calls", lambda width, _: told(say("no_other_call"), width, scene.look))

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: FBT001 the form of Section
        sums = [
            Fact("min", numbers.time(like.min)),
            Fact("median", numbers.time(like.median)),
            Fact("max", numbers.time(like.max)),
            Fact("sum", numbers.time(like.total)),
        ]
        lines = fact_lines(sums, width, scene.look, compact=True)
        if like.max > like.min:
            lines += _histogram(kernel, width, scene.look, marked=not compact)
        return lines

    text = "all_calls_of" if like.count_ > 1 else "only_call_of"
    title = say(text, count=f"{like.count_:,}", name=facts.operator)
    return Section(title, draw, say("call_lengths" if facts.communicates else "kernel_times"))


def _histogram(kernel: KernelFacts, width: int, look: Look, *, marked: bool) -> Iterator[Line]:
    like = kernel.rank
    if like is None:
        return
    least, most = (look.text(numbers.time(ns)) for ns in (like.min, like.max))
    cells = max(8, width - len(INDENT) - len(least) - len(most) - 2)
    counts = {row.bucket: row.count_ for row in kernel.lengths}
    ink = look_of_core(kernel.row.core).role
    yield [
        Run(f"{INDENT}{least} ", Role.DIM),
        Run(histogram(counts, LENGTH_PARTS, cells, look), ink),
        Run(f" {most}", Role.DIM),
    ]
    if marked:
        at = place_in(kernel.row.dur, like.min, like.max, LENGTH_PARTS, cells)
        before = " " * (len(INDENT) + len(least) + 1 + at)
        sign = "^" if look.glyphs != "unicode" else "▲"
        here = say("this_one")
        said = f"{sign} {here}"
        if len(before) + cell_len(said) > width:
            before, said = " " * (len(before) - cell_len(said) + 1), f"{here} {sign}"
        yield [Run(before + said, Role.PLAIN)]
