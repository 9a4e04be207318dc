"""What can be written into a file from where somebody is."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..answers import Answers

Told = Callable[[str], None]
"""Takes a clean sentence about how far the writing is; raises Interrupted to stop it."""


class Target(NamedTuple):
    """The file to write, and whether one that is there is replaced.

    ``lanes`` is a regular expression; only lanes that it matches are taken.
    """

    path: Path
    force: bool = False
    lanes: str | None = None


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """Something that can be written.

    ``label`` and ``about`` are clean: what it is, and how much. ``file_name`` is the name
    that is proposed. ``write`` runs on a thread, asks the answers that it gets, and
    returns what it wrote as a clean sentence without the path, such as ``34 rows,
    1.2 kB``. It leaves no file behind when it is interrupted or fails, and raises
    UsageError for a file that is there unless ``force`` is set.
    """

    label: str
    file_name: str
    write: Callable[[Answers, Target, Told], str]
    about: str = ""
    takes_lanes: bool = False
