"""Why a device does not work, in words: causes, stages, places and phases.

In the store they are values, the same in every language and in SQL.
"""

from typing import TYPE_CHECKING, Final

from ..draw.safe_text import clean
from .spoken import say, spoken

if TYPE_CHECKING:
    from .catalogue import Words

HOST_STAGES: Final = ("framework", "launch")
"""In which the host had not launched yet."""


def cause_words(cause: str | None, words: "Words | None" = None) -> str:
    """Return a cause as people read it, clean; a peer that is waited for names itself.

    ``words`` are those of a language; else of the one that is spoken.

    What stands before a colon is the place: ``lead_in:gc`` is garbage collection before
    the first task.
    """
    words = words or spoken()
    if cause is None:
        return words.causes["unknown"]
    place, colon, rest = cause.partition(":")
    if colon and place in words.places:
        said = cause_words(rest, words)
        return words.texts["cause_at"].format(place=words.places[place], cause=said)
    return words.causes.get(cause) or clean(cause)


def place_words(place: str) -> str:
    """Return where between the tasks of a step something is, clean."""
    return spoken().places.get(place) or clean(place)


def stage_name(stage: str) -> str:
    """Return a stage of the way from Python to the device by its name, clean."""
    return spoken().stages.get(stage) or clean(stage)


def stage_words(stage: str | None) -> str:
    """Return where time was lost: with the host, which was late, or after the launch."""
    if stage is None:
        return say("unknown_where")
    name = stage_name(stage)
    return say("host_late", stage=name) if stage in HOST_STAGES else name


def phase_words(phase: str | None) -> str:
    """Return the part of a step as people read it, clean."""
    return say("rest") if phase is None else spoken().phases.get(phase) or clean(phase)
