"""Hints: for each question that a profile may leave open, what to collect."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from ..words.spoken import spoken

Maker = Literal["torch_npu", "mindspore", "msprof"]
"""Whose profiler collects."""

MAKERS: tuple[Maker, ...] = get_args(Maker)

HINTS = Path(__file__).parent / "hints.toml"


@dataclass(frozen=True, slots=True)
class Hint:
    """What to collect for one question; the fields are explained in ``hints.toml``."""

    name: str
    msprof: list[str]
    profile: dict[str, str] = field(default_factory=dict[str, str])
    config: dict[str, str] = field(default_factory=dict[str, str])
    mindspore: bool = True
    light: bool = False

    @property
    def question(self) -> str:
        """Return what can be answered with it."""
        return spoken().hints[self.name].question

    @property
    def cost(self) -> str:
        """Return what it does to the run, as far as it is known."""
        return spoken().hints[self.name].cost

    @property
    def then(self) -> str:
        """Return what to do besides, in the program; empty for nothing."""
        return spoken().hints[self.name].then

    @property
    def note(self) -> str:
        """Return what to do besides, or instead, with msprof; empty for nothing."""
        return spoken().hints[self.name].note

    def is_of(self, maker: Maker) -> bool:
        """Tell whether a profiler can collect it."""
        return bool(self.msprof) if maker == "msprof" else maker == "torch_npu" or self.mindspore


@cache
def hints() -> Mapping[str, Hint]:
    """Return every hint by its name, in the order of the file."""
    tables = tomllib.loads(HINTS.read_text("utf-8"))
    return {name: Hint(name, **table) for name, table in tables.items()}


def maker_of(producer: str) -> Maker | None:
    """Return whose profiler wrote a profile; None for a trace of another program."""
    return next((maker for maker in MAKERS if maker == producer), None)
