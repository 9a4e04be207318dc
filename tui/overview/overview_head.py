"""The head of the overview on the screen: which run it is, and how its time splits."""

from collections.abc import Iterator

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, clean, cut
from ..run import Run as Opened
from ..text.boxes_text import Split
from ..text.overview_text import ranks_of_job, title_of_steps
from ..user.run_card import RunCard, overhead_share
from ..words.spoken import say
from .collection import Overhead, overhead
from .job import Job
from .legend import legend_at_right
from .overview_facts import Block, Conditions


def about_rank(
    run: Opened, rank: int, conditions: Conditions, width: int, *, roomy: bool
) -> list[str]:
    """Say what was run and collected and what distorts it, in a row of ``width`` cells.

    Where it is ``roomy`` there are two if one does not hold it. Where there is little room
    the switches give way to figures, then what was typed in and who collected.
    """
    profile = run.profile(rank)
    ranks = ranks_of_job([profile], run.job)
    if others := len(run.ranks) - 1:
        ranks = say("ranks_more", ranks=ranks, more=others)
    producer, level = clean(profile.producer or ""), clean(profile.level or "")
    typed = " · ".join(_typed(conditions.card))
    slowed = overhead(profile.switches, profile.level)
    share = _overhead_share(run, rank, conditions)
    off = list(_without_profiler(conditions, share))
    named = say("and_also").join((*_switches(slowed, conditions), *off))
    plain = say("and_also").join((*_slowed(slowed, conditions), *off))
    short = say("and_also").join(_slowed(slowed, conditions, share))
    who = _joined(ranks, producer, level, typed)
    rows = [[_joined(who, named)]]
    if roomy:
        rows += [[who, named]]
        if off or conditions.spacing_ns is not None:
            rows += [[who, plain], [who, short]]
    else:
        few = _ranks_in_short(rank, run.job)
        rows += [[_joined(who, short)], [_joined(few, level, short)], [_joined(few, short)]]
    fitting = (one for one in rows if all(cell_len(row) <= width for row in one))
    return [cut(row, width) for row in next(fitting, rows[-1]) if row]


def _ranks_in_short(rank: int, job: Job | None) -> str:
    if job is None:
        return say("this_rank", ranks=rank)
    size = f"{job.ranks:,}+" if job.least else f"{job.ranks:,}"
    ranks = say("of_ranks", ranks=say("this_rank", ranks=rank), size=size)
    return say("of_which_few", ranks=ranks, count=len(job.missing)) if job.missing else ranks


def _joined(*parts: str) -> str:
    return "   ".join(part for part in parts if part)


def _typed(card: RunCard) -> Iterator[str]:
    """Yield what a person typed in of the run; clean text."""
    if card.config:
        yield clean(card.config)
    if card.batch:
        yield say("batch", batch=clean(card.batch))
    if card.text:
        yield clean(card.text)


def _switches(slowed: Overhead, conditions: Conditions) -> Iterator[str]:
    """Yield what collecting did to the times, with the switches that did it."""
    if slowed.host:
        yield say("host_inflated", switches=", ".join(slowed.host))
    if conditions.spacing_ns is not None:
        time = numbers.time(conditions.spacing_ns)
        yield say("kernels_spaced_by", time=time, switches=", ".join(slowed.device))
    elif slowed.device:
        yield say("kernels_spaced", switches=", ".join(slowed.device))


def _without_profiler(conditions: Conditions, share: float | None) -> Iterator[str]:
    """Yield what a step takes without a profiler, if that is known."""
    off = conditions.card.profiler_off_ns
    if share is not None:
        yield say("overhead", time=numbers.time(off), share=numbers.ratio(share))
    elif off is not None:
        yield say("without_profiler", time=numbers.time(off))


def _slowed(slowed: Overhead, conditions: Conditions, share: float | None = None) -> Iterator[str]:
    """Yield what collecting did without the switches; a ``share`` is the figure for the host."""
    if share is not None:
        off = numbers.time(conditions.card.profiler_off_ns)
        more = f"{'+' if share > 0 else ''}{numbers.ratio(share)}"
        yield say("overhead_short", time=off, share=more)
    elif slowed.host:
        yield say("host_inflated_short")
    if conditions.spacing_ns is not None:
        yield say("kernel_spacing", time=numbers.time(conditions.spacing_ns))


def _overhead_share(run: Opened, rank: int, conditions: Conditions) -> float | None:
    medians = [step.median for step in run.steps_of(rank) if step.kind != "run"]
    return overhead_share(medians[0] if medians else None, conditions.card.profiler_off_ns)


def split_rows(block: Block, split: Split | None, width: int, look: Look) -> list[list[Run]]:
    """Draw the time of a block with its legend, and under it the strip of its parts."""
    title = title_of_steps(block.steps) if block.steps else say("no_steps")
    devices = len({step.device_id for step in block.steps})
    if devices > 1:
        title = f"{title}   {say('on_devices', devices=devices)}"
    if split is None:
        return [[Run(look.text(cut(f" {title}   {say('no_device')}", width)), Role.PLAIN)], []]
    drawn = bars.stacked(split.parts(), width - 2, ascii_level=look.ascii_level)
    return [legend_at_right(title, split, width, look), [Run(f" {drawn}", Role.VECTOR)]]
