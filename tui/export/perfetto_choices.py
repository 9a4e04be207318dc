"""The parts of a run that can be written for Perfetto, from where somebody is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...queries.selection import Scope, Selection, StepScope, SubtreeScope, TimeScope, WholeScope
from ..answers import Answers
from ..draw.numbers import MILLISECONDS, place, size, time
from ..draw.safe_text import clean
from ..focus import Focus, Window
from ..run import Run
from ..words.spoken import counted, say
from .export_choice import ExportChoice, Target, Told

if TYPE_CHECKING:
    from ...queries.perfetto import ExportReport

PLACE_CELL_NS = 1000
"""Places are told so exactly that two of them this far apart have two names."""

SUFFIX = ".json.gz"


def perfetto_choices(focus: Focus, run: Run) -> Iterator[ExportChoice]:
    """Yield what can be written, the nearest to what is looked at first."""
    rank, selection = focus.rank, focus.selection
    if focus.marked is not None:
        yield _stretch(say("export_range"), focus.marked, focus, run)
    if selection is not None and selection.slice_id is not None:
        yield _choice(
            f"slice {clean(selection.name)}",
            say("export_slice_about", time=time(selection.window.dur)),
            f"rank{rank}_slice{selection.slice_id}",
            Selection(SubtreeScope(selection.slice_id), rank),
        )
    elif selection is not None:
        yield _stretch(clean(selection.name), selection.window, focus, run)
    extent = run.extent(focus.rank)
    if focus.window is not None and extent is not None:
        yield _stretch(say("export_window"), focus.window.within(extent), focus, run)
    if focus.step is not None:
        period = run.period(rank, focus.step)
        yield _choice(
            say("step", step=focus.step),
            time(period.dur) if period is not None else say("export_untimed"),
            f"rank{rank}_step{focus.step}",
            Selection(StepScope(focus.step), rank),
        )
    extent = run.extent(rank)
    if extent is not None:
        label = say("export_run") if len(run.ranks) == 1 else say("export_rank", rank=rank)
        yield _choice(label, time(extent.dur), f"rank{rank}", Selection(WholeScope(), rank))
    if len(run.ranks) > 1:
        ranks = counted(len(run.ranks), "rank")
        yield _choice(say("export_run"), ranks, "all_ranks", Selection(WholeScope()))


def report_text(report: "ExportReport") -> str:
    """Return how much was written, such as ``4,363 slices, 1.2 MB``."""
    if report.slices or not report.counters:
        much = counted(report.slices + report.instants, "slice")
    else:
        much = counted(report.counters, "counter sample")
    return say("comma").join((much, size(report.bytes)))


def _stretch(label: str, window: Window, focus: Focus, run: Run) -> ExportChoice:
    begin = place(window.from_ts - run.origin(focus), PLACE_CELL_NS, MILLISECONDS)
    step = "" if focus.step is None else f"_step{focus.step}"
    # A stretch without a length still holds what stands there.
    scope: Scope = TimeScope(window.from_ts, max(window.to_ts, window.from_ts + 1))
    return _choice(
        label,
        say("export_from", time=time(window.dur), place=begin),
        f"rank{focus.rank}{step}_{begin.replace(' ', '').replace(',', '')}",
        Selection(scope, focus.rank),
    )


def _choice(label: str, about: str, name: str, selection: Selection) -> ExportChoice:
    def write(answers: Answers, target: Target, told: Told) -> str:
        # Reading the args takes pyarrow.
        from ...queries.perfetto import export  # noqa: PLC0415

        chosen = Selection(selection.scope, selection.rank, target.lanes)

        def progress(done: int, of: int) -> None:
            told(say("slices_written", done=f"{done:,}", all=f"{of:,}"))

        report = export(answers.session, chosen, target.path, force=target.force, told=progress)
        return report_text(report)

    return ExportChoice(label, name + SUFFIX, write, about, takes_lanes=True)
