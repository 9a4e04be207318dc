"""The run card of a profile: what a step takes when no profiler is on, typed in by a person.

A verdict that a run is bound by its host is provisional while that is not known:
collecting inflates host times.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from .own_file import VERSION, Unusable, decoded, is_newer, profile_file, read_own, whole, write_own


@dataclass(frozen=True, slots=True)
class RunCard:
    """What was typed in about a run; ``profiler_off_ns`` is the time of a step."""

    profiler_off_ns: int | None = None

    def save(self, path: Path) -> str | None:
        """Write the card in one step, for its owner only; return why if that fails."""
        if is_newer(path):
            return f"{path}: the file was written by a newer npuview"
        try:
            content = {"version": VERSION, "profiler_off_ns": self.profiler_off_ns}
            write_own(path, json.dumps(content))
        except OSError as error:
            return f"{path}: {error.strerror or error}"
        return None


def card_path(store: Path) -> Path | None:
    """Return where the card of a profile lies, by its store; None without a home."""
    return profile_file(store, ".card.json")


def card_of(store: Path) -> RunCard:
    """Return the card of a profile by its store; an empty one if there is none. Never raises."""
    path = card_path(store)
    try:
        text = None if path is None else read_own(path)
        kept = {} if text is None else decoded(text)
    except Unusable:
        return RunCard()
    typed = whole(kept.get("profiler_off_ns"))
    return RunCard(typed if typed is not None and typed > 0 else None)


def overhead_share(traced_ns: int | None, off_ns: int | None) -> float | None:
    """Return by what share of the step without a profiler the traced one is longer."""
    return None if traced_ns is None or not off_ns else (traced_ns - off_ns) / off_ns
