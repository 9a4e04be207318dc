"""The order in which the tables of a rank are derived, and their parameters."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

import pyarrow as pa

from ..communication_group import CommunicationGroup
from ..notice import ImportLog
from ..progress import Work
from ..record import ROW_GROUP_ROWS
from ..schema import (
    AICPU_CALL,
    ALLOCATION,
    COLLECTIVE,
    COPY,
    EPOCH_FROM_NS,
    EVENT_WAIT,
    FLOW,
    GAP,
    GAP_TOTAL,
    GROUP_MEMBER,
    HOST_SYNC,
    KERNEL,
    KERNEL_METRIC,
    KERNEL_SHAPE,
    LANE_PART,
    LAST_LAUNCH,
    LAUNCH_LINK,
    LAUNCH_PACE,
    LAYOUT_CALL,
    LEDGER,
    LINK,
    LOD,
    OPERATOR_TOTAL,
    OPERATOR_USUAL,
    PEER_ARRIVAL,
    QUEUE_GAP,
    STALL,
    STEP,
    STRETCH,
    VENDOR_COLLECTIVE,
    VENDOR_LINK,
)
from ..vocabulary import (
    AI_CPU_TASKS,
    CATEGORY_CLASS,
    COLLECTIVE_CORES,
    CUBE_CORES,
    DATA_TYPE_BYTES,
    FRAMEWORK_TYPE_BYTES,
    FUSED_COMMUNICATION,
    HOST_CALLS,
    HOST_ROLES,
    ITERATION_RANGES,
    MODEL_OPERATORS,
    PLANE_MOVES,
    TASK_CLASS,
    UNSPECIFIC_TASKS,
    VECTOR_CORES,
)
from ..workspace import Workspace
from .device_states import derive_states
from .nested import Grid, is_built, nest_slices, nest_stretches
from .repeats import LEAST_ITERATIONS, find_iterations
from .sets import cells_by_sets, nest_by_sets
from .slice_rows import Ranges, SliceRows, Words
from .tracks import Track

LOD_SLICES_PER_CELL: Final = 8
LOD_MOST_CELLS: Final = 2 << 20
LOD_LEAST_CELLS_PER_TRACK: Final = 512
LOD_COARSEST_CELLS: Final = 16
LEAST_COMPILE_NS: Final = 1_000_000
"""A compile call that takes less has found what it looked for: nothing was compiled."""

LEAST_PAUSE_NS: Final = 10_000_000
"""What a server takes at most between two iterations while it has requests."""

LEAST_SPACING_NS: Final = 20_000
"""Four times what a device needs at most from one queued kernel to the next."""

CHECKS: Final = (
    "counters_on_another_clock",
    "dur_suspicious",
    "figures_differ_from_lane",
    "kernels_not_on_timeline",
    "kernels_overlap",
    "no_iteration_at_the_end",
    "step_number_repeated",
    "ts_outside_the_run",
    "whole_microseconds",
)
"""Findings about the derived tables, each named in import_stat as its file is."""


Derive = Callable[..., None]
"""Derives tables by their names, in their order."""


@dataclass(frozen=True, slots=True)
class RankFacts:
    """What a profile itself says of its rank.

    ``groups`` are the communication groups whose ranks it lists. ``base`` is the first id
    of its rows. Only steps with numbers from and up to those
    of ``steps`` count. ``spaced`` says that something was collected that puts a
    distance between kernels; ``scheduled_warmup`` is how many steps the profiler ran
    before those that it kept, None if it does not say.
    """

    rank: int
    producer: str
    rank_known: bool
    world_size: int | None
    groups: tuple[CommunicationGroup, ...]
    base: int
    steps: tuple[int, int]
    spaced: bool
    scheduled_warmup: int | None


@dataclass(frozen=True, slots=True)
class Extent:
    """The time that a rank's slices, or else its counters, cover, ns; how many slices there are.

    Without either it is not ``known``: both ends are 0.
    """

    ts: int
    end_ts: int
    slices: int
    most_on_a_lane: int
    known: bool

    @property
    def span(self) -> int:
        """Return the length of the trace, at least 1 ns."""
        return max(1, self.end_ts - self.ts)

    @property
    def block_bits(self) -> int:
        """Bits of a time block, so that a block has about one row group of slices."""
        return _bits(self.span * ROW_GROUP_ROWS // max(1, self.slices))

    def lod_level(self, rows: int) -> int:
        """Level of the finest cells: few slices in a cell, bounded rows in all.

        ``rows`` is how many lanes, and parts of lanes, have cells.
        """
        wanted = max(LOD_LEAST_CELLS_PER_TRACK, self.most_on_a_lane // LOD_SLICES_PER_CELL)
        cells = min(wanted, LOD_MOST_CELLS // max(1, rows))
        return _bits(self.span // cells)


def extent(space: Workspace) -> Extent:
    """Measure the run; what is at 0 among wall-clock times does not count as time."""
    [row] = space.ask("extent", epoch=EPOCH_FROM_NS)
    return Extent(*row)


def derive_tables(
    space: Workspace, lanes: list[Track], log: ImportLog, work: Work, facts: RankFacts
) -> Extent:
    """Derive every table from what was read; return the extent of the slices."""
    base = facts.base
    size = extent(space)
    parameters: dict[str, Any] = {
        "rank": facts.rank,
        "rank_known": facts.rank_known,
        "world_size": facts.world_size,
        "base": base,
        "producer": facts.producer,
        "ts": size.ts,
        "trace_end": size.end_ts,
        "block_bits": size.block_bits,
        "fused_communication": list(FUSED_COMMUNICATION),
        "ai_cpu_tasks": list(AI_CPU_TASKS),
        "cube_cores": list(CUBE_CORES),
        "vector_cores": list(VECTOR_CORES),
        "collective_cores": list(COLLECTIVE_CORES),
        "unspecific_tasks": list(UNSPECIFIC_TASKS),
        "first_step": facts.steps[0],
        "last_step": facts.steps[1],
        "host_roles": list(HOST_ROLES),
        "least_compile": LEAST_COMPILE_NS,
        "least_spacing": LEAST_SPACING_NS,
        "least_pause": LEAST_PAUSE_NS,
        "least_iterations": LEAST_ITERATIONS,
        "spaced": facts.spaced,
        "scheduled_warmup": facts.scheduled_warmup,
    }

    def derive(*names: str) -> None:
        for name in names:
            work.stage(f"derive {name}")
            space.derive(name, **parameters)

    _add_words(space, lanes)
    space.add("listed_group", _group_rows(facts.groups))
    derive("pattern", "placed", "kernel_link", "part")
    space.drop("read_slice")
    grid = _grid(space, size)
    if is_built():
        work.stage("derive nesting")
        bits = size.block_bits
        nest_slices(space, grid, work, base=base, tracks=len(lanes), block_bits=bits)
    else:
        nest_by_sets(space, work)
    space.drop("read_flow")
    derive("flow_odd", "flow")
    space.finish(FLOW)
    space.drop("flow_end", "flow_odd")
    _derive_launches(space, work, derive)
    derive("device_task")
    _mark_steps(space, work, derive, log)
    derive("step_mark", "step_member", "step_period", "slice_side")
    _finish_slices(space, facts.rank, base)
    derive("frequency", "listed_kernel", "drawn_kernel")
    space.view("kernel")
    derive("kernel_metric", "kernel_shape", "operator_total", "layout_call", "aicpu_call")
    derive("last_launch")
    space.finish(KERNEL, KERNEL_METRIC, KERNEL_SHAPE, OPERATOR_TOTAL, LAYOUT_CALL, AICPU_CALL)
    space.finish(LAST_LAUNCH)
    derive("communication_stream", "device_span")
    derive_states(space, work)
    _derive_stalls(space, derive)
    derive("allocation")
    space.finish(ALLOCATION)
    work.stage("derive lod")
    if is_built():
        nest_stretches(space, grid, work, base=base, tracks=len(lanes))
        space.view("lod", "lod_sorted")
    else:
        cells_by_sets(space, grid, work)
    parameters |= {"finest": grid.finest, "coarsest": grid.coarsest}
    derive("lane_part")
    space.finish(LOD, LANE_PART)
    _derive_waits(space, derive)
    _check(space, log, parameters)
    return size


def _derive_launches(space: Workspace, work: Work, derive: Derive) -> None:
    """Join the tasks of the device with the host calls that launched them."""
    derive("host_thread", "host_role", "correlation", "order_link")
    _pair_queue(space, work)
    derive("launch_link", "launch_pace")
    space.finish(LAUNCH_LINK, LAUNCH_PACE)
    space.drop("queue", "correlation", "order_link")


def _mark_steps(space: Workspace, work: Work, derive: Derive, log: ImportLog) -> None:
    """Find what marks the steps; what is trusted less is not looked for where something is."""
    derive("step_given")
    found = not space.is_empty("step_given")
    for name in ("step_range", "step_replay", "step_repeat"):
        if found:
            space.add(name, MARK_ROWS.empty_table())
            continue
        if name == "step_repeat":
            derive("busiest_kernel")
            work.stage("derive repeat_place")
            places, doubt = find_iterations(space.table("busiest_name")["name"])
            if doubt:
                log.add("", "repeats_are_no_steps", "info", sample=doubt)
            first, past = zip(*places, strict=True) if places else ((), ())
            columns = {"first": pa.array(first, pa.int64()), "past": pa.array(past, pa.int64())}
            space.add("repeat_place", pa.table(columns))
        derive(name)
        found = not space.is_empty(name)


def _derive_stalls(space: Workspace, derive: Derive) -> None:
    """Say of all time without work why, and sum it up in steps, phases and gaps."""
    derive("plane_task", "group_member", "peer_wait", "figure")
    derive("step_kind", "step_warmup", "step", "operator_usual")
    derive("step_segment", "numbered_gap", "silence_task", "silence_link", "silence_thread")
    derive("silence")
    space.drop("silence_task", "silence_link", "silence_thread")
    derive("host_span", "blocked", "pause", "filled", "spacing")
    derive("idle_piece", "idle_proof", "silence_line", "peer_stall", "stall")
    space.drop("host_span", "filled", "idle_piece", "idle_proof", "silence_line", "peer_stall")
    derive("step_phase", "ledger", "gap", "gap_total", "queue_gap", "stretch")
    space.finish(
        GROUP_MEMBER, STEP, OPERATOR_USUAL, LEDGER, GAP, GAP_TOTAL, QUEUE_GAP, STALL, STRETCH
    )


def _derive_waits(space: Workspace, derive: Derive) -> None:
    """Follow what collectives, streams and threads of the host wait for, and what is moved."""
    derive("exposed_collective", "collective", "peer_arrival", "link")
    derive("vendor_collective", "vendor_link")
    derive("event_mark", "event_pair", "event_link", "exposed", "event_wait", "host_wait")
    derive("host_sync", "copy")
    space.finish(COLLECTIVE, PEER_ARRIVAL, LINK, VENDOR_COLLECTIVE, VENDOR_LINK)
    space.finish(EVENT_WAIT, HOST_SYNC, COPY)


def _pair_queue(space: Workspace, work: Work) -> None:
    """Make ``queue``, by arrows or else by the numbers in the args of its calls."""
    work.stage("derive queue")
    space.derive("queue")
    if not space.is_empty("queue"):
        return
    space.derive("queue_call")
    # The args are many: they are read only where there is something to find in them.
    if not space.is_empty("queue_call"):
        space.derive("queue_by_number", into="queue")
    space.drop("queue_call")


def _grid(space: Workspace, size: Extent) -> Grid:
    [(rows,)] = space.ask("cell_rows")
    finest = coarsest = size.lod_level(rows)
    while size.span >> coarsest > LOD_COARSEST_CELLS:
        coarsest += 1
    return Grid(finest, coarsest, size.ts)


def _finish_slices(space: Workspace, rank: int, base: int) -> None:
    completed = SliceRows(
        Words(space.table("word_text")["text"].combine_chunks()),
        host=Ranges(space.table("host_range")),
        device=Ranges(space.table("device_range")),
        base=base,
    )
    space.finish_slices(completed, rank=rank)


def _add_words(space: Workspace, lanes: list[Track]) -> None:
    space.add("lane", pa.Table.from_pylist([asdict(lane) for lane in lanes], schema=LANE_ROWS))
    for name, key, words in (
        ("task_class", "task", TASK_CLASS),
        ("category_class", "category", CATEGORY_CLASS),
    ):
        space.add(name, pa.table({key: list(words), "class": list(words.values())}))
    space.add(
        "host_call",
        pa.table(
            {"role": [role for role, _ in HOST_CALLS], "form": [form for _, form in HOST_CALLS]}
        ),
    )
    space.add("plane_move", pa.table({"name": list(PLANE_MOVES)}))
    columns = zip(*ITERATION_RANGES, strict=True)
    names = ("level", "form", "category", "process")
    space.add("iteration_range", pa.table(dict(zip(names, columns, strict=True))))
    tells, forms = zip(*MODEL_OPERATORS, strict=True)
    rows = {"place": range(len(forms)), "tells": tells, "form": forms}
    space.add("model_operator", pa.table(rows))
    types = {"type": list(FRAMEWORK_TYPE_BYTES), "bytes": list(FRAMEWORK_TYPE_BYTES.values())}
    space.add("framework_type", pa.table(types))
    space.add(
        "data_type_width",
        pa.table({"data_type": list(DATA_TYPE_BYTES), "bytes": list(DATA_TYPE_BYTES.values())}),
    )


def _group_rows(groups: Iterable[CommunicationGroup]) -> pa.Table:
    """Return a row for each rank of each group that the profile lists."""
    rows = [
        {"name": group.name, "hash": group.hash, "number": number, "rank": rank}
        for group in groups
        for number, rank in enumerate(group.ranks)
    ]
    return pa.Table.from_pylist(rows, schema=GROUP_ROWS)


def _check(space: Workspace, log: ImportLog, parameters: dict[str, Any]) -> None:
    """Count what the derived tables show to be odd, by every SELECT in ``checks``."""
    for name in CHECKS:
        for file, severity, count, sample in space.ask(f"checks/{name}", **parameters):
            log.add(file, name, severity, count=count, sample=sample)


def _bits(width: int) -> int:
    """Return the bits of the smallest power of two that is at least ``width``."""
    return max(0, width - 1).bit_length()


GROUP_ROWS: Final = pa.schema(
    [
        ("name", pa.string()),
        ("hash", pa.string()),
        ("number", pa.int32()),
        ("rank", pa.int32()),
    ]
)
MARK_ROWS: Final = pa.schema(
    [
        ("source", pa.string()),
        ("kind", pa.string()),
        ("step", pa.int32()),
        ("ts", pa.int64()),
        ("end_ts", pa.int64()),
        ("name", pa.string()),
    ]
)
LANE_ROWS: Final = pa.schema(
    [
        ("lane", pa.int32()),
        ("track_id", pa.int64()),
        ("device_id", pa.int32()),
        ("kind", pa.string()),
        ("process_name", pa.string()),
        ("process_label", pa.string()),
        ("thread_name", pa.string()),
        ("pid_text", pa.string()),
        ("tid_text", pa.string()),
        ("stream_id", pa.int64()),
        ("sort_order", pa.int64()),
        ("group_name", pa.string()),
    ]
)
