"""The run card of a profile: what a person knows of a run and no profile can hold.

A verdict that a run is bound by its host is provisional while it is not known what a step
takes when no profiler is on: collecting inflates host times. Configuration and batch are
what two runs have to share before their times can be compared (S2-H3, S2-H9).
"""

import json
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from ..draw.numbers import MILLISECONDS
from ..draw.safe_text import clean
from .own_file import (
    LONGEST_TIME,
    VERSION,
    Unusable,
    decoded,
    is_newer,
    profile_file,
    read_own,
    whole,
    write_own,
)

LONGEST_FIELD = 200
"""Characters of a field of text."""


@dataclass(frozen=True, slots=True)
class RunCard:
    """What was typed in about a run; ``profiler_off_ns`` is the time of a step."""

    profiler_off_ns: int | None = None
    config: str | None = None
    batch: str | None = None
    text: str | None = None

    def save(self, path: Path) -> str | None:
        """Write the card in one step, for its owner only; return why if that fails."""
        if is_newer(path):
            return f"{path}: the file was written by a newer npuview"
        try:
            write_own(path, json.dumps({"version": VERSION, **asdict(self)}))
        except OSError as error:
            return f"{path}: {error.strerror or error}"
        return None


TEXT_FIELDS = ("config", "batch", "text")


def card_path(store: Path) -> Path | None:
    """Return where the card of a profile lies, by its store; None without a home."""
    return profile_file(store, ".card.json")


def card_of(store: Path) -> RunCard:
    """Return the card of a profile by its store; an empty one if there is none. Never raises."""
    return read_card(card_path(store))


def read_card(path: Path | None) -> RunCard:
    """Return the card in a file; an empty one if there is none. Never raises."""
    try:
        text = None if path is None else read_own(path)
        kept = {} if text is None else decoded(text)
    except Unusable:
        return RunCard()
    typed = whole(kept.get("profiler_off_ns"))
    texts = {name: _line(kept.get(name)) for name in TEXT_FIELDS}
    return RunCard(typed if typed is not None and typed > 0 else None, **texts)


def keep_card(store: Path, card: RunCard) -> str | None:
    """Keep the card of a profile by its store; return why if that fails."""
    path = card_path(store)
    return "no home directory" if path is None else card.save(path)


def milliseconds_typed(typed: str) -> int:
    """Return a time that was typed in ms, with as many decimals as ns have, as whole ns.

    Raises ValueError, with a clean sentence, for what is no time of a step.
    """
    try:
        number = Decimal(typed.strip())
        # What is far out of range is not multiplied: it would be huge, or overflow.
        ns = int(number * MILLISECONDS.size) if 0 < number <= LONGEST_TIME else 0
    except (InvalidOperation, ValueError) as error:
        raise ValueError(f"{clean(typed)}: not a number of milliseconds") from error
    if not 0 < ns <= LONGEST_TIME:
        raise ValueError(f"{clean(typed)}: a step takes longer than 0 ms, and not that long")
    return ns


def line_typed(typed: str) -> str | None:
    """Return what was typed into a field of text as one line; None for nothing.

    Raises ValueError for more than a field holds.
    """
    line = " ".join(typed.split())
    if len(line) > LONGEST_FIELD:
        raise ValueError(f"{len(line)} characters; {LONGEST_FIELD} are kept")
    return line or None


def overhead_share(traced_ns: int | None, off_ns: int | None) -> float | None:
    """Return by what share of the step without a profiler the traced one is longer."""
    return None if traced_ns is None or not off_ns else (traced_ns - off_ns) / off_ns


def _line(kept: object) -> str | None:
    try:
        return line_typed(kept) if isinstance(kept, str) else None
    except ValueError:
        return None
