"""``npuview collect-hint``: what to collect for a question that cannot be answered."""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ...queries.catalog import shipped_queries
from ...queries.query import AnswerColumn
from ...queries.rows import ProfilesRow
from ...queries.rows_collection import CollectionRow, UntoldRow
from ...queries.session import Session
from ..collect.configuration import whole
from ..collect.hints import MAKERS, Hint, Maker, hints, maker_of
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.hint_text import hint_lines, hint_list, untold_lines
from ..text.narration import note
from ..text.output import write_answer, write_lines
from ..user.run_card import card_of
from .opening import damage_status, session_on
from .options import (
    ProfilePath,
    Source,
    allow_damaged_option,
    cache_dir_option,
    destination_options,
    language_option,
    rank_option,
)

HINT_COLUMNS = tuple(
    AnswerColumn(name, "VARCHAR") for name in ("name", "question", "cost", *MAKERS)
)
UNTOLD_COLUMNS = (
    AnswerColumn("rank", "INTEGER"),
    AnswerColumn("name", "VARCHAR"),
    AnswerColumn("sample", "VARCHAR"),
    AnswerColumn("values", "VARCHAR"),
    AnswerColumn("dur", "BIGINT"),
    AnswerColumn("cost", "VARCHAR"),
    AnswerColumn("collect", "VARCHAR"),
)


class QuestionOrPath(click.ParamType[Any]):
    """The name of a question, which wins over a folder of that name, or a profile."""

    name = "question or path"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Hint | Path:
        """Return the hint or the path; fail, naming a similar question, for neither."""
        text = str(value)
        if hint := hints().get(text):
            return hint
        try:
            return Path(os.fsdecode(ProfilePath(exists=True).convert(text, param, ctx)))
        except click.BadParameter:
            near = get_close_matches(text, hints(), n=1)
            also = f"; did you mean {near[0]}?" if near else "; npuview collect-hint lists them"
            self.fail(f"{text}: neither a question nor a profile{also}", param, ctx)


@click.command("collect-hint")
@click.argument("what", required=False, type=QuestionOrPath(), metavar="[PATH|QUESTION]")
@rank_option
@cache_dir_option
@allow_damaged_option
@language_option
@destination_options
def collect_hint_command(
    what: Hint | Path | None,
    rank: int | None,
    cache_dir: Path | None,
    destination: Destination,
    *,
    allow_damaged: bool,
) -> int:
    """Print the collection that would answer what cannot be answered.

    With PATH: all that this profile cannot tell, and the whole collection for it, of the
    profiler that made it and with its schedule. With the name of a QUESTION: what to
    collect for that one, with torch_npu, MindSpore and msprof. Without either: the
    questions.
    """
    if isinstance(what, Path):
        # Of all ranks: those of the store that are not asked about are not missing.
        with session_on(Source(what, cache_dir, None, allow_damaged)) as session:
            _answer_profile(session, rank, destination)
            return damage_status(session, allow_damaged=allow_damaged)
    if destination.format != "table":
        rows = [_row(hint) for hint in ([what] if what else hints().values())]
        write_answer(Answer(HINT_COLUMNS, rows), destination)
    elif what is None:
        write_lines(hint_list(destination.terminal), destination)
    else:
        write_lines(hint_lines(what, destination.terminal), destination)
    return 0


def _answer_profile(session: Session, rank: int | None, destination: Destination) -> None:
    profiles = session.run(shipped_queries()["profiles"]).as_(ProfilesRow)
    known: list[Maker] = [
        named for one in profiles if (named := maker_of(one.producer)) is not None
    ]
    maker = known[0] if known else "torch_npu"
    asked = {"rank": rank}
    untold = session.run(shipped_queries()["untold"], asked).as_(UntoldRow)
    if card_of(session.store.path).profiler_off_ns is not None:
        untold = [row for row in untold if row.name != "host"]
    collection = session.run(shipped_queries()["collection"], asked).as_(CollectionRow)
    if not known:
        note("no Ascend profile: nobody knows how it was collected")
    if destination.format == "table":
        schedule = _schedule(collection)
        lines = untold_lines(maker, untold, schedule, destination.terminal) if known else []
        write_lines(lines, destination)
        return
    rows = [(*row, hints()[row.name].cost, _text(hints()[row.name], maker)) for row in untold]
    write_answer(Answer(UNTOLD_COLUMNS, rows), destination)


def _schedule(collection: list[CollectionRow]) -> Mapping[str, int] | None:
    """Return the schedule of the first rank that has one."""
    rows = [row for row in collection if row.kind == "schedule" and (row.value or "").isdecimal()]
    return {row.name: int(row.value or 0) for row in rows if row.rank == rows[0].rank} or None


def _row(hint: Hint) -> tuple[str | None, ...]:
    return (hint.name, hint.question, hint.cost, *(_text(hint, maker) for maker in MAKERS))


def _text(hint: Hint, maker: Maker) -> str | None:
    return "\n".join(whole([hint], maker)) or None
