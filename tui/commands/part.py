"""Which part of a profile is read, and how: the options of ``npuview ingest``."""

import re
from dataclasses import dataclass
from functools import wraps
from typing import Final

import click

from ...ingest.errors import UsageError
from ...ingest.selection import EVERYTHING, MOST_STEP, Moment, Selection
from ..places import parse_place
from .options import Command

_RANKS: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_STEPS: Final = re.compile(r"(\d{1,9})?(:)?(\d{1,9})?")
MOST_RANKS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """What is read of a profile, on how many threads, and how much is told of it."""

    selection: Selection = EVERYTHING
    jobs: int | None = None
    verbose: bool = False


WHOLE: Final = Part()


def part_options(command: Command) -> Command:
    """Add the options that say what is read; the command gets ``part``."""

    @click.option("--ranks", metavar="LIST", help="Only these ranks, such as 0,2-5.")
    @click.option(
        "--steps",
        metavar="A:B",
        help="Only steps A to B, with the time of one more: a device is behind its host.",
    )
    @click.option(
        "--time",
        "time_",
        metavar="FROM:TO",
        help="Only what overlaps this time; each side absolute ns, 1.2ms from the start, or empty.",
    )
    @click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        metavar="N",
        help="Threads; without it the CPUs this process may use, up to 4.",
    )
    @click.option("-v", "--verbose", is_flag=True, help="Tell every stage and its seconds.")
    @wraps(command)
    def collected(
        *,
        ranks: str | None,
        steps: str | None,
        time_: str | None,
        jobs: int | None,
        verbose: bool,
        **rest: object,
    ) -> int:
        start, end = (None, None) if time_ is None else _times(time_)
        selection = Selection(
            None if ranks is None else _ranks(ranks),
            None if steps is None else _steps(steps),
            start,
            end,
        )
        return command(part=Part(selection, jobs, verbose), **rest)

    return collected


def _ranks(text: str) -> frozenset[int]:
    ranks: set[int] = set()
    for part in text.split(","):
        found = _RANKS.fullmatch(part.strip())
        if found is None:
            raise UsageError(f"--ranks {text!r}: {part!r} is no rank and no range such as 2-5")
        first = int(found[1])
        last = int(found[2]) if found[2] else first
        if not first <= last < first + MOST_RANKS:
            raise UsageError(f"--ranks {text!r}: {part!r} is no range that goes up")
        ranks.update(range(first, last + 1))
    return frozenset(ranks)


def _steps(text: str) -> tuple[int, int]:
    found = _STEPS.fullmatch(text.strip())
    if found is None or not (found[1] or found[3]):
        raise UsageError(f"--steps {text!r}: give a step, or two such as 3:5, one of them or both")
    first = int(found[1] or 0)
    last = int(found[3] or MOST_STEP) if found[2] else first
    if last < first:
        raise UsageError(f"--steps {text!r}: the last step comes before the first")
    return first, last


def _times(text: str) -> tuple[Moment | None, Moment | None]:
    start, colon, end = text.partition(":")
    if not colon:
        raise UsageError(f"--time {text!r}: give two times with a colon, such as 1.2s:1.4s")
    return _moment(start), _moment(end)


def _moment(text: str) -> Moment | None:
    return Moment(*parse_place(text)) if text.strip() else None
