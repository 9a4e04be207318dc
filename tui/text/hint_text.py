"""What to collect for an open question, and all that a profile leaves open, as text."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...queries.rows_collection import UntoldRow
from ..collect.configuration import short, whole
from ..collect.hints import MAKERS, Hint, Maker, hints
from ..draw import numbers
from ..draw.lines import rule, wrapped
from ..draw.safe_text import pad
from ..words.spoken import say, untold_words
from .terminal import Terminal

USUAL_WIDTH = 100
NAME_CELLS = 10


def hint_list(terminal: Terminal) -> Iterator[str]:
    """List every question that there is a hint for."""
    width = terminal.width or USUAL_WIDTH
    for hint in hints().values():
        yield from _named(hint.name, hint.question, terminal, width)


def hint_lines(hint: Hint, terminal: Terminal) -> Iterator[str]:
    """Say what to collect for one question, for each profiler that can collect it."""
    width = terminal.width or USUAL_WIDTH
    yield from wrapped(terminal.text(hint.question), width)
    yield from wrapped(terminal.text(say("cost", cost=hint.cost)), width)
    for maker in MAKERS:
        yield ""
        yield rule(maker, "", width, ascii_level=terminal.ascii_level)
        yield from whole([hint], maker) or wrapped(terminal.text(short(hint, maker)), width)


def untold_lines(
    maker: Maker,
    rows: Sequence[UntoldRow],
    schedule: Mapping[str, int] | None,
    terminal: Terminal,
) -> Iterator[str]:
    """Say what a profile cannot tell, then the collections that would tell it.

    What collecting itself distorts needs a run of its own, without the switches that
    the other questions need.
    """
    width = terminal.width or USUAL_WIDTH
    if not rows:
        yield say("nothing_open")
        return
    yield rule(say("cannot_be_told"), "", width, ascii_level=terminal.ascii_level)
    ranks: defaultdict[tuple[str, str], list[UntoldRow]] = defaultdict(list)
    names = list(dict.fromkeys(row.name for row in rows))
    for row in sorted(rows, key=lambda row: names.index(row.name)):
        ranks[row.name, untold_words(row.name, row.sample, row.values)].append(row)
    every = len({row.rank for row in rows})
    for (name, sample), group in ranks.items():
        listed = ", ".join(str(row.rank) for row in group)
        which = "" if len(group) == every else say("which_rank", ranks=listed)
        took = sum(row.dur or 0 for row in group)
        stake = say("at_stake", time=numbers.time(took)) if took else ""
        yield from _named(name, f"{sample}{stake}{which}", terminal, width)
        yield from _named("", say("costs", cost=hints()[name].cost), terminal, width)
    wanted = [hints()[name] for name in names]
    asked = [hint for hint in wanted if not hint.light]
    light = [hint for hint in wanted if hint.light]
    for title, part in (("collection_of", asked), ("own_run_of", light)):
        if part:
            listed = ", ".join(hint.name for hint in part)
            yield ""
            yield rule(say(title, names=listed), "", width, ascii_level=terminal.ascii_level)
            yield from _collection(part, maker, schedule, terminal, width)


def _collection(
    part: Iterable[Hint],
    maker: Maker,
    schedule: Mapping[str, int] | None,
    terminal: Terminal,
    width: int,
) -> Iterator[str]:
    # The lines are to be copied: never broken, never cut.
    yield from whole(part, maker, schedule)
    for hint in part:
        if not hint.is_of(maker):
            yield from wrapped(terminal.text(f"{hint.name}: {short(hint, maker)}"), width)


def _named(name: str, sentence: str, terminal: Terminal, width: int) -> Iterator[str]:
    for at, line in enumerate(wrapped(terminal.text(sentence), width - NAME_CELLS)):
        yield f"{pad(name if at == 0 else '', NAME_CELLS)}{line}"
