"""Who holds the device's memory: the curve of an allocator, its holders, its growth."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows_memory import (
    MemoryHoldersRow,
    MemoryPeaksRow,
    MemoryRow,
    MemoryStepsRow,
)
from ...queries.rows_timeline import CountersRow
from ..answers import Answers
from ..draw import numbers
from ..draw.counter_value import counter_value
from ..draw.lines import parts_within
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean
from ..export.export_choice import ExportChoice
from ..focus import Selection, Window
from ..keyboard.keys import bindings
from ..memory.memory_columns import holder_columns, holder_name, step_columns
from ..memory.memory_curve import LABEL_CELLS, Curve, Level
from ..overview.collection import remedy
from ..scope import Scope, scope_noun, scope_of
from ..sql.answer_export import answer_choice
from ..sql.row_place import focus_on
from ..waiting.question_head import indented
from ..widgets.canvas import Line
from ..widgets.panel import PARTED, Panel
from ..widgets.row_list import Column, RowList
from ..words.reasons import phase_words
from ..words.spoken import counted, say, shown
from .view import Desk, View

POINTS = 4000
"""Parts of the time of which the curve has the highest sample."""

HEAD_ROWS = 3
CURVE_ROWS = 7
HIGH_CURVE_ROWS = 14
HIGH = 30
"""Rows of the view from which the curve is a high one."""

ALLOCATED = "allocated"
RESERVED = "reserved"
BANDWIDTH = ("HBM", "DDR")
"""Lanes that count how fast the memory is read and written."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of the memory of a rank."""

    peaks: Sequence[MemoryPeaksRow]
    steps: Sequence[MemoryStepsRow]
    counters: Sequence[CountersRow]
    components: Sequence[str]


class Memory(View):
    """The curve of one allocator over who holds it at the cursor, and its level by step."""

    WHERE = "memory"
    SCOPED = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("memory")
    DEFAULT_CSS = f"""
    #memory_head {{ height: {HEAD_ROWS}; }}
    #memory_holders {{ height: 2fr; }}
    #memory_steps {{ height: 1fr; min-height: 3; }}
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="memory_head")
        self._plot = Panel(self.look, "Held", id="memory_curve")
        self._holders: RowList[MemoryHoldersRow] = RowList(
            self.look, "Holders", self._holder_columns, id="memory_holders"
        )
        self._holders.searched = holder_name
        self._levels: RowList[MemoryStepsRow] = RowList(
            self.look, "By step", step_columns, id="memory_steps"
        )
        self._shown: Scope | None = None
        self._found = _Found((), (), (), ())
        self._component = ""
        self._single = False
        self._at: int | None = None
        self._curve: Curve | None = None
        self._held: Sequence[MemoryHoldersRow] = ()

    @property
    def table(self) -> "RowList[MemoryHoldersRow] | RowList[MemoryStepsRow]":
        """Return the table that has the keys, else that of the holders."""
        return self._levels if self._levels.has_focus else self._holders

    def compose(self) -> ComposeResult:
        """Put the figures over the curve, and both tables under it."""
        yield self._head
        yield self._plot
        yield self._holders
        yield self._levels

    def on_resize(self) -> None:
        """Give the curve more rows where there are many."""
        rows = HIGH_CURVE_ROWS if self.size.height >= HIGH else CURVE_ROWS
        self._plot.styles.height = rows + 1

    def enter(self, item: object) -> None:  # noqa: ARG002 memory is opened on no item
        """Show the memory of the shared step or range, or of the run."""
        self.refocus()

    def refocus(self) -> None:
        """Ask again where rank, step or range have changed."""
        key = scope_of(self.desk.place)
        if key == self._shown:
            self._tell()
            return
        self._shown = key

        def work(answers: Answers) -> _Found:
            peaks = answers.rows("memory_peaks", MemoryPeaksRow, rank=key.rank)
            steps = answers.rows("memory_steps", MemoryStepsRow, rank=key.rank)
            counters = answers.rows("counters", CountersRow, rank=key.rank)
            return _Found(peaks, steps, counters, _components(peaks))

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the view, and whose memory it is."""
        way = (shown("memory"),)
        return (*way, clean(self._component)) if self._component else way

    def copied(self) -> str:
        """Return the selected row as one line, sizes in bytes."""
        row = self._holders.row
        if self._levels.has_focus:
            step = self._levels.row
            return "" if step is None else f"step={step.step} level={step.level_bytes} bytes"
        return "" if row is None else f"{holder_name(row)} at={row.at_ts} bytes={row.held_bytes}"

    def export_choices(self) -> list[ExportChoice]:
        """Offer holders at the cursor, level by step and the curve, all rows of them."""
        catalog, rank = self.desk.answers.catalog, self.desk.place.rank
        asked: dict[str, tuple[str, dict[str, int | str | None]]] = {
            "memory_holders": (
                say("export_memory_holders"),
                {"rank": rank, "component": self._component, "at_ts": self._at},
            ),
            "memory_steps": (say("export_memory_steps"), {"rank": rank}),
            "memory": (say("export_memory"), {"rank": rank}),
        }
        return [
            answer_choice(catalog[name], given, label, f"rank{rank}_{name}.csv")
            for name, (label, given) in asked.items()
        ]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Tell about the row under the cursor."""
        message.stop()
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the row that was clicked twice."""
        message.stop()
        self.action_open()

    def on_descendant_focus(self) -> None:
        """Tell about the row of the table that has the keys now."""
        self._tell()

    def action_open(self) -> None:
        """Show in the timeline when the largest of a holder was taken, or the end of a step."""
        row, step = self._holders.row, self._levels.row
        if self._levels.has_focus:
            if step is not None:
                self._go(step.end_ts, say("step_end", step=step.step))
        elif row is not None and row.ts is not None:
            self._go(row.ts, holder_name(row))
        elif row is not None:
            self.desk.say(say("memory_taken_before"))

    def action_left(self) -> None:
        """Go back in time by a cell of the curve."""
        self._step(-1)

    def action_right(self) -> None:
        """Go on in time by a cell of the curve."""
        self._step(1)

    def action_peak(self) -> None:
        """Go to the first instant of the peak."""
        if self._curve is not None and self._curve.peak is not None:
            self._stand(self._curve.peak.ts)

    def action_component(self) -> None:
        """Show the memory of the next component."""
        names = self._found.components
        if names:
            at = names.index(self._component) if self._component in names else -1
            self._choose(names[(at + 1) % len(names)])

    def action_group(self) -> None:
        """List single allocations instead of operators, and back."""
        self._single = not self._single
        self._ask_holders()

    def _go(self, ts: int, name: str) -> None:
        selection = Selection(Window(ts, ts + 1), clean(name))
        focus = focus_on(self.desk.run_facts, self.desk.place, selection, self.desk.place.rank)
        if focus is None:
            self.desk.say(say("outside_timeline"))
        else:
            self.desk.open_view("timeline", focus=focus)

    def _step(self, by: int) -> None:
        curve, at = self._curve, self._at
        cells = self._plot.size.width - LABEL_CELLS - 2
        if curve is not None and at is not None and cells > 0:
            self._stand(curve.stepped(at, cells, by))

    def _stand(self, ts: int) -> None:
        self._at = ts
        self._draw()
        self._ask_holders()

    # The answers.

    def _show(self, found: _Found) -> None:
        self._found = found
        if not found.components:
            self._show_nothing()
            return
        known = self._component in found.components
        self._choose(self._component if known else found.components[0])

    def _show_nothing(self) -> None:
        profile = self.desk.run_facts.profile(self.desk.place.rank)
        said = [say("memory_not_collected")]
        how = remedy("memory", profile)
        if how:
            said.append(clean(how))
        self._component, self._curve, self._at = "", None, None
        self._head.fill(lambda width, _: indented(said, width, self.look))
        self._plot.fill(lambda *_: ())
        self._holders.fill((), empty="No allocation is known.")
        self._levels.fill((), empty="No level is known.")

    def _choose(self, component: str) -> None:
        self._component = component
        self.desk.show_way()
        place = self.desk.place
        window = place.marked or self.desk.run_facts.whole(place)
        levels = [row for row in self._found.steps if row.component == component]
        slope = next((row.slope_bytes for row in levels if row.slope_bytes is not None), None)
        self._levels.fill(
            levels,
            remark=""
            if slope is None
            else say("memory_slope", size=numbers.memory_difference(slope)),
            empty=say("memory_no_steps", component=clean(component)),
        )
        if window is None:
            return
        source = next(row.source for row in self._found.peaks if row.component == component)

        def work(answers: Answers) -> Curve:
            rows = answers.rows(
                "memory",
                MemoryRow,
                rank=place.rank,
                component=component,
                source=source,
                from_ts=window.from_ts,
                to_ts=window.to_ts,
                points=POINTS,
            )
            held = _levels(rows, ALLOCATED) or _levels(rows, RESERVED)
            steps = self.desk.run_facts.steps_of(place.rank)
            # Memory is taken by the host: its steps, where it marks them.
            begun = (row.ts if row.host_ts is None else row.host_ts for row in steps)
            borders = [ts for ts in begun if ts is not None]
            return Curve(window, held, _levels(rows, RESERVED), borders)

        self.ask(work, self._show_curve, channel="curve")

    def _show_curve(self, curve: Curve) -> None:
        self._curve = curve
        self._at = None if curve.peak is None else curve.peak.ts
        self._draw()
        self._ask_holders()

    def _ask_holders(self) -> None:
        at, component, rank = self._at, self._component, self.desk.place.rank
        by = "allocation" if self._single else "operator"
        if at is None:
            self._holders.fill((), empty=say("memory_no_sample", scope=scope_noun(self.desk.place)))
            return

        def work(answers: Answers) -> list[MemoryHoldersRow]:
            return answers.rows(
                "memory_holders", MemoryHoldersRow, rank=rank, component=component, at_ts=at, by=by
            )

        self.ask(work, self._show_holders, channel="holders")

    def _show_holders(self, rows: list[MemoryHoldersRow]) -> None:
        self._held = rows
        explained = next((row.explained_share for row in rows), None)
        self._holders.fill(
            rows,
            remark=say("memory_explained", share=numbers.ratio(explained)) if rows else "",
            empty=say("memory_no_allocations", component=clean(self._component)),
        )
        self._draw()
        self._tell()

    # The drawing.

    def _draw(self) -> None:
        curve, at = self._curve, self._at
        self._head.fill(lambda width, _: self._figures(width))
        if curve is None:
            return
        self._plot.fill(
            lambda width, height: curve.lines(width, height, at, self.look),
            count=f"{clean(self._component)}{PARTED}{self.scope_title()}",
            remark=say("memory_line", place=self._place(at)) if at is not None else "",
        )

    def _figures(self, width: int) -> Sequence[Line]:
        peaks = {row.key: row for row in reversed(self._peaks_of(self._component))}
        held = peaks.get(ALLOCATED) or peaks.get(RESERVED) or next(iter(peaks.values()), None)
        if held is None:
            return ()
        room = max(0, width - 2)
        told = list(self._peak_told(held))
        first = next((one for one in told if cell_len(one) <= room), told[-1])
        level = None if self._curve is None or self._at is None else self._curve.at(self._at)
        second = ""
        if self._at is not None:
            second = say("memory_at", size=numbers.memory(level), place=self._place(self._at))
        parts = [second, *self._bandwidth()]
        third = "   ".join(
            f"{name} {numbers.memory(row.peak_bytes)}"
            for name in dict.fromkeys(row.component for row in self._found.peaks)
            if (row := self._peaks_of(name)[0]).peak_bytes and name != self._component
        )
        said = (
            first,
            PARTED.join(part for part in parts if part),
            say("memory_peaks", peaks=third) if third else "",
        )
        texts = (self.look.text(parts_within(clean(text), room)) for text in said)
        attributes = (Attributes.BOLD, Attributes.NONE, Attributes.NONE)
        return [
            [Run(f" {text}", Role.PLAIN, attributes=one)]
            for text, one in zip(texts, attributes, strict=True)
        ]

    def _peak_told(self, held: MemoryPeaksRow) -> Iterator[str]:
        """Yield the peak with what of it was unused, told ever more briefly of its place."""
        unused = ""
        if held.reserved_bytes is not None:
            figures = {
                "reserved": numbers.memory(held.reserved_bytes),
                "unused": numbers.memory(held.unused_bytes),
                "share": numbers.ratio(held.unused_share),
            }
            unused = PARTED + say("memory_unused", **figures)
        size, places = numbers.memory(held.peak_bytes), [self._place(held.ts)]
        if held.step is not None:
            places.append(say("step", step=held.step))
        if held.phase is not None:
            places.append(phase_words(held.phase))
        for count in range(len(places), 0, -1):
            place = say("comma").join(places[:count])
            yield say("memory_peak", size=size, place=place) + unused
        yield say("memory_peak_alone", size=size) + unused

    def _bandwidth(self) -> Iterable[str]:
        """Yield how fast the memory was read and written at most, of one of its stacks."""
        for lane in BANDWIDTH:
            for way in ("Read", "Write"):
                most = [
                    row
                    for row in self._found.counters
                    if row.process_name == lane and row.name.endswith(way)
                ]
                if most:
                    top = max(most, key=lambda row: row.most)
                    most_of = {"lane": lane, "most": counter_value(top.most, top.unit)}
                    yield say("memory_read" if way == "Read" else "memory_written", **most_of)

    def _peaks_of(self, component: str) -> list[MemoryPeaksRow]:
        return [row for row in self._found.peaks if row.component == component]

    def _place(self, ts: int) -> str:
        origin = self.desk.run_facts.origin(self.desk.place)
        return numbers.place(ts - origin, 1000, numbers.MILLISECONDS)

    def _holder_columns(self, width: int) -> Sequence[Column[MemoryHoldersRow]]:
        origin = self.desk.run_facts.origin(self.desk.place)
        return holder_columns(self._held, origin, self.look, width)

    def _tell(self) -> None:
        if not self.display or self._shown is None:
            return
        row, step = self._holders.row, self._levels.row
        if self._levels.has_focus and step is not None:
            said = [say("step", step=step.step)]
            said.append(say("memory_step_end", size=numbers.memory(step.level_bytes)))
            if step.growth_bytes is not None:
                said.append(say("memory_grown", size=numbers.memory_difference(step.growth_bytes)))
            if step.kept_count:
                name = clean(step.kept_name or "")
                said.append(say("memory_kept", size=numbers.memory(step.kept_bytes), name=name))
        elif row is not None:
            said = [clean(holder_name(row)), numbers.memory(row.held_bytes)]
            level = numbers.memory(row.level_bytes)
            said.append(say("share_of", share=numbers.ratio(row.share), whole=level))
            if row.count_ is not None:
                said.append(counted(row.count_, "allocation"))
        else:
            return
        self.tell("   ".join(said))


def _components(peaks: Iterable[MemoryPeaksRow]) -> list[str]:
    """Return the components: first allocators, those that hold most in front, then the others."""
    held = [row for row in peaks if row.peak_bytes]
    names = [row.component for row in held if row.key == ALLOCATED and "+" not in row.component]
    return list(dict.fromkeys([*names, *(row.component for row in held)]))


def _levels(rows: Iterable[MemoryRow], key: str) -> list[Level]:
    return [
        Level(row.ts, row.held_bytes)
        for row in rows
        if row.key == key and row.held_bytes is not None
    ]
