"""What a colour stands for: the class of work that a cell, slice or word is about.

Colour names a class and nothing else. What is selected or found is said by
attributes, never by another hue.
"""

from enum import StrEnum


class Role(StrEnum):
    """A class of work, or the plain and the skippable text around it."""

    CUBE = "cube"
    VECTOR = "vector"
    MOVING = "moving"
    WAITING = "waiting"
    IDLE = "idle"
    COMMUNICATION = "communication"
    HOST = "host"
    PLAIN = "plain"
    DIM = "dim"


_OF_PART = {
    "cube": Role.CUBE,
    "vector": Role.VECTOR,
    # The core is not known: computing as a whole has the colour of its main unit.
    "compute": Role.CUBE,
    "transfer": Role.MOVING,
    "waiting": Role.WAITING,
    "control": Role.HOST,
}

_OF_CLASS = {
    "compute": Role.CUBE,
    "mc2": Role.CUBE,
    "communication": Role.COMMUNICATION,
    "copy": Role.MOVING,
    "wait": Role.WAITING,
    "sync": Role.HOST,
    "control": Role.HOST,
    "host": Role.HOST,
    "step": Role.DIM,
    "overlap": Role.PLAIN,
    "other": Role.PLAIN,
}

_LETTER_OF_PART = {
    "cube": "C",
    "vector": "V",
    "compute": "C",
    "transfer": "x",
    "waiting": "w",
}

_LETTER_OF_KIND = {
    "group": "N",
    "gap": "·",
    "python": "h",
    "cann": "h",
    "host": "h",
}


def role_of(part: str | None, class_: str | None) -> Role:
    """Return the role of a slice: by the part of its lane, else by its class.

    What is neither known as a part nor as a class is plain.
    """
    if part is not None and part in _OF_PART:
        return _OF_PART[part]
    return _OF_CLASS.get(class_ or "", Role.PLAIN)


def letter_of(part: str | None, kind: str | None = None) -> str:
    """Return the letter that says a lane's class without colour, empty if it has none."""
    if part is not None:
        return _LETTER_OF_PART.get(part, "")
    return _LETTER_OF_KIND.get(kind or "", "")
