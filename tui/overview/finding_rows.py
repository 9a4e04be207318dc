"""Findings as rows of a table, as a status line and as text for the clipboard."""

from collections.abc import Sequence

from ...queries.rows import ProfilesRow
from ..draw import numbers
from ..draw.safe_text import cut
from ..text.boxes_text import Split
from ..widgets.row_list import Column
from .look_first import Finding
from .overview_head import NO_DEVICE

CANNOT_TELL = "cannot tell"
QUESTION_CELLS = 10

PLACE_CELL_NS = 1000
"""Places are told to the µs."""


def finding_columns() -> Sequence[Column[Finding]]:
    """Return the columns of the list of findings, at any width."""
    return (
        Column(
            "gain up to",
            _gain,
            width=len(CANNOT_TELL),
            right=True,
            order=lambda one: one.gain,
            ordered="greatest gain first",
        ),
        Column("question", lambda one, _: one.question, width=QUESTION_CELLS),
        Column("what", lambda one, cells: cut(one.what, cells)),
    )


def finding_status(finding: Finding, origin: int) -> str:
    """Return a finding as a status line; places are told from ``origin``, ns."""
    if finding.gain is None:
        return "   ".join(part for part in (finding.what, finding.remedy) if part)
    said = [f"{finding.question} {numbers.time(finding.gain)}"]
    if finding.place is not None:
        at = finding.place.window.from_ts - origin
        said.append(f"at {numbers.place(at, PLACE_CELL_NS, numbers.MILLISECONDS)}")
    return "   ".join([*said, finding.what])


def finding_text(finding: Finding) -> str:
    """Return a finding with all its digits as one line."""
    gain = "" if finding.gain is None else f" up to {finding.gain} ns"
    return f"{finding.question}{gain}: {finding.what} {finding.remedy}".rstrip()


def nothing_found(profile: ProfilesRow, split: Split | None) -> str:
    """Return the sentence that stands where there is nothing to look at."""
    if profile.producer == "chrome":
        return "No Ascend profile: the timeline (2) and SQL (5) work on it."
    if split is None:
        return NO_DEVICE
    return "Nothing stands out here, and nothing is missing that npuview makes use of."


def _gain(finding: Finding, _: int) -> str:
    return CANNOT_TELL if finding.gain is None else numbers.time_field(finding.gain)
