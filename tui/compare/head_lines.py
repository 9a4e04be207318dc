"""Which runs are A and B, and what holding them against each other comes to."""

from collections.abc import Sequence

from ..draw.lines import wrapped
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, cut_middle
from ..words.spoken import counted, say
from .compared import Compared
from .conclusions import Conclusion, conclusions

Line = Sequence[Run]


def head_lines(compared: Compared, width: int, height: int, look: Look) -> list[Line]:
    """Return the runs with their steps and the settings that changed, then the sentences."""
    told = list(conclusions(compared))
    settings = told.pop()
    # After the step, what warns has a place where there is little room.
    step, *rest = told
    ordered = [step, *sorted(rest, key=lambda one: not one.warns)]
    names = _names(compared, width)
    used = sum(cell_len(run.text) for run in names)
    said = _words(settings)
    if used + cell_len(said) + 4 <= width:
        blanks = " " * (width - used - cell_len(said) - 1)
        names.append(Run(blanks, Role.PLAIN))
        names.append(Run(look.text(said), Role.IDLE if settings.warns else Role.PLAIN))
    elif settings.warns:
        ordered.insert(1, settings)
    else:
        ordered.append(settings)
    lines: list[Line] = [names]
    for one in ordered:
        lines += _sentence(one, width, look)
    return lines[:height]


def _names(compared: Compared, width: int) -> list[Run]:
    period = compared.found.period
    sides = (
        ("A", compared.base, period.base_steps if period else 0),
        ("B", compared.test, period.test_steps if period else 0),
    )
    room = max(6, (width - 56) // 2 if width >= 100 else (width - 48) // 2)
    runs: list[Run] = []
    for letter, name, steps in sides:
        runs.append(Run(f" {letter} ", Role.PLAIN, attributes=Attributes.BOLD))
        told = say("median_of", steps=counted(steps, "step")) if steps else say("no_steps")
        runs.append(Run(f"{cut_middle(clean(name), room)}  ", Role.PLAIN))
        runs.append(Run(f"{told}   ", Role.DIM))
    return runs


def _sentence(one: Conclusion, width: int, look: Look) -> list[Line]:
    role = Role.IDLE if one.warns else Role.PLAIN
    return [[Run(f" {look.text(line)}", role)] for line in wrapped(_words(one), width - 2)]


def _words(one: Conclusion) -> str:
    return clean(f"! {one.text}" if one.warns else one.text)
