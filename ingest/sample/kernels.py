"""Writes the tables of the kernels of a made-up run, with counters of the cores' pipes."""

from collections import defaultdict
from collections.abc import Sequence

from .counters import CORE_MHZ
from .model import Kernel
from .overlap import step_at, step_ranges
from .record import NO_ID, Collective, Run, Task
from .tables import NOT_AVAILABLE, decimal, instant, rounded, table

CUBE_CORES = 24

_KERNEL_COLUMNS = (
    "Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,"
    "Start Time(us),Duration(us),Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,"
    "Input Shapes,Input Data Types,Input Formats,"
    "Output Shapes,Output Data Types,Output Formats,Context ID"
)
_CUBE_PIPES = ("mac", "scalar", "mte1", "mte2", "fixpipe")
_VECTOR_PIPES = ("vec", "scalar", "mte2", "mte3")

# Busy shares of the pipes by operator type, in thousandths, in the order of the pipes.
_CUBE_SHARES = {
    "MatMulV3": (862, 214, 583, 741, 92),
    "Conv2D": (519, 355, 683, 913, 85),
    "Conv2DBackpropFilter": (604, 298, 655, 884, 71),
    "FlashAttentionScore": (473, 331, 524, 612, 204),
    "FlashAttentionScoreGrad": (442, 352, 503, 648, 233),
    "BatchMatMulV3": (314, 287, 422, 903, 118),
}
_VECTOR_SHARES = {
    "FlashAttentionScore": (664, 241, 493, 312),
    "FlashAttentionScoreGrad": (612, 262, 541, 357),
    "NLLLoss": (34, 141, 92, 18),
    "TransData": (187, 91, 552, 671),
    "Transpose": (124, 83, 603, 714),
    "Add": (213, 47, 862, 481),
    "LayerNormV4": (552, 83, 793, 424),
    "LayerNormGradV3": (583, 102, 812, 397),
    "Gelu": (713, 41, 524, 408),
    "GeluGrad": (742, 43, 631, 395),
    "Cast": (118, 52, 871, 634),
    "TransposeCast": (203, 88, 884, 702),
    "Muls": (164, 41, 882, 613),
    "SoftmaxV2": (487, 73, 846, 527),
}
_OTHER_SHARES = (352, 61, 843, 574)


def kernel_details(run: Run) -> str:
    """Return kernel_details.csv: kernels and collectives by start."""
    metrics = ["aicore_time(us)", "aic_total_cycles", *_metric_names("aic", _CUBE_PIPES)]
    metrics += ["aiv_time(us)", "aiv_total_cycles", *_metric_names("aiv", _VECTOR_PIPES)]
    step_id = ["Step Id"] if run.steps else []
    header = ",".join([*step_id, _KERNEL_COLUMNS, *metrics, "cube_utilization(%)"])
    ranges = step_ranges(run)
    rows: list[list[object]] = []
    previous = 0
    for item in sorted([*run.kernels, *run.collectives], key=lambda item: item.ts):
        step = step_at(ranges, item.ts)
        wait = max(0, item.ts - previous) if previous else 0
        previous = item.end
        times = [instant(item.ts), decimal(item.dur), decimal(wait)]
        row: list[object] = [step.number if step else ""] if run.steps else []
        row.append(run.rank)
        if isinstance(item, Collective):
            row += [
                NO_ID,
                NOT_AVAILABLE,
                NOT_AVAILABLE,
                item.name,
                "hcom_allReduce_",
                NOT_AVAILABLE,
            ]
            row += ["COMMUNICATION", *times, 0]
        elif item.kernel is not None:
            state = "dynamic" if item.model == NO_ID else "static"
            row += [item.model, item.task_id, item.stream, item.name, item.kernel.type, state]
            row += [item.kernel.core, *times, *_kernel_cells(item, item.kernel)]
        rows.append(row + [NOT_AVAILABLE] * (header.count(",") + 1 - len(row)))
    return table(header, rows, "\r\n")


def op_statistic(run: Run) -> str:
    """Return op_statistic.csv: kernels by type and core, the longest first."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for task in run.kernels:
        if task.kernel is not None:
            groups[task.kernel.type, task.kernel.core].append(task.dur)
    whole = sum(task.dur for task in run.kernels)
    rows = [
        (
            run.rank,
            type_,
            core,
            len(times),
            decimal(sum(times)),
            decimal(min(times)),
            rounded(sum(times) / len(times) / 1000),
            decimal(max(times)),
            rounded(sum(times) * 100 / whole),
        )
        for (type_, core), times in sorted(groups.items(), key=lambda pair: -sum(pair[1]))
    ]
    header = (
        "Device_id,OP Type,Core Type,Count,"
        "Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
    )
    return table(header, rows, "\n")


def l2_cache(run: Run) -> str:
    """Return l2_cache.csv: how much each kernel pushed out; this chip gives no hit rate."""
    rows = [
        (run.rank, task.stream, task.task_id, NOT_AVAILABLE, task.dur % 300_007 / 1e6, task.name)
        for task in run.kernels
        if task.type != "AI_CPU"
    ]
    return table("Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name", rows, "\n")


def data_preprocess(run: Run) -> str:
    """Return data_preprocess.csv: the kernels of the device's own CPU."""
    rows = [
        (
            run.rank,
            instant(task.ts),
            task.name,
            decimal(task.dur - 42_000),
            "6.2",
            decimal(task.dur - 11_000),
            "19.4",
            decimal(task.dur + 8_400),
            task.stream,
            task.task_id,
        )
        for task in run.kernels
        if task.type == "AI_CPU"
    ]
    header = (
        "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),"
        "Dispatch_time(us),Total_time(us),Stream ID,Task ID"
    )
    return table(header, rows, "\n")


def _kernel_cells(task: Task, kernel: Kernel) -> list[object]:
    """Return the cells from Block Num on."""
    mixed = 2 * kernel.blocks if kernel.core == "MIX_AIC" else 0
    cells: list[object] = [kernel.blocks, mixed, "NO"]
    for side in (kernel.inputs, kernel.outputs):
        shapes, types, formats = zip(*(operand.split("/") for operand in side), strict=True)
        cells += [f'"{";".join(shapes)}"', ";".join(types), ";".join(formats)]
    cells.append("0" if kernel.core.startswith("MIX") else NOT_AVAILABLE)
    if kernel.core == "AI_CPU":
        return cells
    cube = kernel.core in {"AI_CORE", "MIX_AIC"}
    vector = kernel.core != "AI_CORE"
    cells += _metrics(task.dur, kernel.blocks if cube else 0, _CUBE_SHARES.get(kernel.type, ()), 5)
    shares = _VECTOR_SHARES.get(kernel.type, _OTHER_SHARES)
    cells += _metrics(task.dur, (mixed or kernel.blocks) if vector else 0, shares, 4)
    busy = kernel.blocks * 98.5 / CUBE_CORES if cube else 0
    return [*cells, rounded(busy)]


def _metric_names(core: str, pipes: Sequence[str]) -> list[str]:
    names = [f"{core}_{pipe}_{kind}" for pipe in pipes for kind in ("time(us)", "ratio")]
    return [*names, f"{core}_icache_miss_rate"]


def _metrics(dur: int, blocks: int, shares: Sequence[int], pipes: int) -> list[object]:
    """Return core time, cycles and the pipes' times and shares; zeros for an unused core."""
    if not blocks:
        return ["0.0", "0", *(["0.0"] * 2 * pipes), "0.0"]
    core = dur * 985 // 1000
    cells: list[object] = [decimal(core), core * CORE_MHZ * blocks // 1000]
    for share in shares:
        cells += [decimal(core * share // 1000), share / 1000]
    return [*cells, "0.004"]
