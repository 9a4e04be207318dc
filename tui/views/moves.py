"""Data that moves: copies of the device and transfers of collectives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows import CollectivesRow
from ...queries.rows_moving import CopyCallsRow
from ..answers import Answers
from ..draw import bars, numbers
from ..draw.role import Role
from ..export.export_choice import ExportChoice
from ..focus import Selection, Window
from ..keyboard.keys import bindings
from ..overview.overview_boxes import scope
from ..overview.overview_details import moving_parts
from ..overview.overview_facts import Block
from ..scope import Scope, scope_noun, scope_of
from ..sql.answer_export import answer_choice
from ..sql.row_place import focus_on
from ..text.overview_tables import split_of
from ..waiting.data_moves import COPY, Move, MoveGroup, move_groups, moves
from ..waiting.move_columns import group_columns, move_columns, speed
from ..waiting.question_head import HEAD_ROWS, QuestionHead, unsplit_note
from ..widgets.panel import PARTED, Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import counted, say, shown, spoken
from .view import Desk, View

MOST_ROWS = 100_000

ASCEND = frozenset({"torch_npu", "mindspore"})
"""Producers that write the sizes of copies at Level2."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What moved in a step or run."""

    moves: Sequence[Move]
    groups: Sequence[MoveGroup]


class Moves(View):
    """Movements by kind and direction over those of the group under the cursor."""

    WHERE = "moves"
    SCOPED = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("moves")
    DEFAULT_CSS = f"""
    #moves_head {{ height: {HEAD_ROWS}; }}
    #moves_groups {{ height: 2fr; }}
    #moves_calls {{ height: 3fr; }}
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="moves_head")
        self._groups: RowList[MoveGroup] = RowList(
            self.look, "Moved", self._group_columns, id="moves_groups"
        )
        self._groups.searched = lambda group: f"{group.kind} {group.name} {group.by}"
        self._calls: RowList[Move] = RowList(
            self.look, "One by one", self._call_columns, id="moves_calls"
        )
        self._calls.searched = lambda move: f"{move.name} {move.by}"
        self._shown: Scope | None = None
        self._found = _Found((), ())
        self._called: MoveGroup | None = None

    @property
    def table(self) -> "RowList[MoveGroup] | RowList[Move]":
        """Return the table that has the keys, else that of the groups."""
        return self._calls if self._calls.has_focus else self._groups

    def compose(self) -> ComposeResult:
        """Put the figure over the groups, and the calls under them."""
        yield self._head
        yield self._groups
        yield self._calls

    def enter(self, item: object) -> None:  # noqa: ARG002 moves are opened on no item
        """Show what moves in the shared step or range, or in the run."""
        self.refocus()

    def refocus(self) -> None:
        """Ask again where rank, step or range have changed."""
        key = scope_of(self.desk.place)
        if key == self._shown:
            self._tell()
            return
        self._shown = key
        self._head.fill(lambda width, _: self._question().lines(width, self.look))

        def work(answers: Answers) -> _Found:
            asked = key.asked
            found = moves(
                answers.rows("copy_calls", CopyCallsRow, limit=MOST_ROWS, **asked),
                answers.rows("collectives", CollectivesRow, limit=MOST_ROWS, **asked),
            )
            return _Found(found, move_groups(found))

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return (shown("moving"),)

    def copied(self) -> str:
        """Return the selected row as one line, times in ns and sizes in bytes."""
        if self._calls.has_focus:
            move = self._calls.row
            return (
                ""
                if move is None
                else f"{move.name} ts={move.ts} dur={move.dur} ns bytes={move.size}"
            )
        group = self._groups.row
        if group is None:
            return ""
        return (
            f"{group.name} {group.by} count={group.count} total={group.total} ns bytes={group.size}"
        )

    def export_choices(self) -> list[ExportChoice]:
        """Offer copies and collectives, all rows of them."""
        catalog, place = self.desk.answers.catalog, self.desk.place
        asked = scope_of(place).asked
        named = {"copy_calls": say("export_copies"), "collectives": say("export_collectives")}
        return [
            answer_choice(catalog[name], asked, label, f"rank{place.rank}_{name}.csv")
            for name, label in named.items()
        ]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Show the movements of a group; let the other views look at the one under the cursor."""
        message.stop()
        if message.table is self._groups:
            self._fill_calls()
        elif self._calls.has_focus and self.display:
            move = self._calls.row
            if move is not None:
                self.desk.move(self.desk.place.on(_selection(move)))
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the row that was clicked twice."""
        message.stop()
        self.action_open()

    def on_descendant_focus(self) -> None:
        """Tell about the row of the table that has the keys now."""
        self._tell()

    def action_open(self) -> None:
        """Show in the timeline the movement under the cursor, of a group its longest one."""
        move = self._calls.row if self._calls.has_focus else self._longest()
        if move is None:
            return
        focus = focus_on(self.desk.run_facts, self.desk.place, _selection(move), move.rank)
        if focus is not None:
            self.desk.open_view("timeline", focus=focus)

    def _longest(self) -> Move | None:
        group = self._groups.row
        key = None if group is None else (group.kind, group.name, group.by)
        return next((move for move in self._found.moves if move.group == key), None)

    def _show(self, found: _Found) -> None:
        self._found, self._called = found, None
        self._groups.fill(
            found.groups,
            count=f"{len(found.groups):,}{PARTED}{self.scope_title()}",
            remark=shown("most time first"),
            empty=say("no_move", scope=self._of()),
        )
        self._fill_calls()
        self._tell()

    def _fill_calls(self) -> None:
        group = self._groups.row
        if group is self._called and group is not None:
            return
        self._called = group
        key = None if group is None else (group.kind, group.name, group.by)
        members = [move for move in self._found.moves if move.group == key]
        remark = shown("longest first")
        if group is not None and not group.sized:
            remark = self._no_sizes(group)
        self._calls.fill(members, remark=remark, empty="Nothing moved.")
        self._calls.go_to(0)

    def _no_sizes(self, group: MoveGroup) -> str:
        profile = self.desk.run_facts.profile(self.desk.place.rank)
        if group.kind == COPY and profile.producer in ASCEND and profile.level != "Level2":
            return say("no_sizes_at_level")
        return say("no_sizes")

    def _question(self) -> QuestionHead:
        block = self._block()
        split = split_of(block.steps)
        profile = self.desk.run_facts.profile(block.rank)
        if (marked := self.desk.place.marked) is not None:
            return QuestionHead(
                spoken().parts["moving"],
                Role.MOVING,
                bars.MOVING,
                None,
                marked.dur,
                self._of(),
                (),
                say("range_moved"),
            )
        return QuestionHead(
            spoken().parts["moving"],
            Role.MOVING,
            bars.MOVING,
            split.moving if block.steps else None,
            split.period,
            self._of(),
            moving_parts(block, split),
            unsplit_note(split.unsplit, profile),
        )

    def _block(self) -> Block:
        place = self.desk.place
        return Block("", place.rank, tuple(self.desk.run_facts.split(place)))

    def _of(self) -> str:
        place = self.desk.place
        return scope(self._block()) if place.marked is None else scope_noun(place)

    # The tables.

    def _group_columns(self, width: int) -> Sequence[Column[MoveGroup]]:
        # What a range only touches counts whole, so that there is nothing to be a share of.
        ranged = self.desk.place.marked is not None
        period = 0 if ranged else split_of(self._block().steps).period
        return group_columns(self._found.groups, period, self.look, width)

    def _call_columns(self, width: int) -> Sequence[Column[Move]]:
        origin = self.desk.run_facts.origin(self.desk.place)
        return move_columns(self._found.moves, origin, self.look, width)

    def _tell(self) -> None:
        if not self.display or self._shown is None:
            return
        move, group = self._calls.row, self._groups.row
        if self._calls.has_focus and move is not None:
            said = [move.name, move.by, say("moved_for", time=numbers.time(move.dur))]
            if move.window != move.dur:
                said.append(say("in_collective", time=numbers.time(move.window)))
            size, ns = move.size, move.dur
        elif group is not None:
            said = [group.name, group.by, counted(group.count, group.kind)]
            longest = say("longest", time=numbers.time(group.longest))
            said.append(f"{numbers.time(group.total)}   {longest}")
            size, ns = group.size, group.timed
        else:
            return
        if size is not None:
            said.append(say("size_at", size=numbers.size(size), speed=speed(size, ns)))
        if group is not None and group.sized < group.count and group.sized:
            said.append(say("sizes_known", some=f"{group.sized:,}", all=f"{group.count:,}"))
        self.tell("   ".join(said))


def _selection(move: Move) -> Selection:
    window = Window(move.ts, move.ts + max(1, move.window))
    return Selection(window, move.name, slice_id=move.slice_id)
