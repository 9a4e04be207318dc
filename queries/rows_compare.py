"""Rows of the answers about two runs: what was before, and what is held against it.

One NamedTuple per question of ``sql/compare``, named after it: ``figures`` answers
``PairFiguresRow``. Figures of a run are those of its median step; ``difference`` is
test - base, ns, and ``change_share`` that over base. ``verdict`` is better, worse,
insignificant or unknown.
"""

from typing import NamedTuple


class PairFiguresRow(NamedTuple):
    """The period of a step, or its time in a state."""

    figure: str
    cause: str | None
    base_steps: int
    test_steps: int
    base_dur: int | None
    test_dur: int | None
    difference: int | None
    change_share: float | None
    base_spread_ns: int | None
    """Median absolute deviation of the steps; None where there is one."""
    test_spread_ns: int | None
    noise_ns: int | None
    """From which difference on it is no noise; None with too few steps."""
    verdict: str


class PairOperatorsRow(NamedTuple):
    """An operator, or several that a map names as one."""

    name: str
    core: str | None
    presence: str
    """both, new, gone or mapped."""
    parts: str | None
    """Names that are mapped, with commas."""
    base_steps: int
    test_steps: int
    base_count: int
    """Calls in all steps."""
    test_count: int
    base_calls: float | None
    """Calls in a mean step of a rank; None without steps."""
    test_calls: float | None
    base_total: int | None
    test_total: int | None
    base_avg_ns: int | None
    test_avg_ns: int | None
    base_dur: int | None
    """In the median step."""
    test_dur: int | None
    difference: int | None
    change_share: float | None
    base_spread_ns: int | None
    test_spread_ns: int | None
    noise_ns: int | None
    verdict: str


class PairGapsRow(NamedTuple):
    """The gaps of a cause, or in scope ``all`` those of every cause."""

    scope: str
    cause: str | None
    base_steps: int
    test_steps: int
    base_count: int
    """Gaps in all steps."""
    test_count: int
    base_longest_ns: int | None
    test_longest_ns: int | None
    base_dur: int | None
    test_dur: int | None
    difference: int | None
    change_share: float | None
    base_spread_ns: int | None
    test_spread_ns: int | None
    noise_ns: int | None
    verdict: str


class PairFusionsRow(NamedTuple):
    """An operator that is new, and one that it may stand for."""

    name: str
    part: str
    calls: int
    """Calls of the new one in a step, by which the other has fewer."""


class PairSettingsRow(NamedTuple):
    """What two profiles say of how they were made."""

    setting: str
    base: str | None
    test: str | None
    changed: bool


class PairReasonsRow(NamedTuple):
    """What the change of an operator, or of the gaps of a cause, is made of."""

    what: str
    """operator or gap."""
    name: str | None
    """Of the operator, or the cause of the gaps."""
    core: str | None
    why: str
    """calls, shapes, length, call, several, new, gone, core, same or unknown."""
    base_calls: float | None
    """Calls, or gaps, in a mean step of a rank; None without steps."""
    test_calls: float | None
    base_avg_ns: int | None
    test_avg_ns: int | None
    difference: int | None
    """Of the mean steps, unlike that of the median ones elsewhere."""
    calls_ns: int | None
    shapes_ns: int | None
    length_ns: int | None
    base_mhz: float | None
    """None where it was not collected or kept."""
    test_mhz: float | None
    other_core: str | None
