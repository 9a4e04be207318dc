"""When the peers of a collective arrived, as rows of a panel."""

from collections.abc import Sequence

from ...queries.rows import PeerArrivalsRow
from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.peer_name import peer_name
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import pad
from ..words.spoken import say

WIDE = 96
WIDE_BAR = 20
NARROW_BAR = 8
PEER_CELLS = 11


def arrival_lines(
    arrivals: Sequence[PeerArrivalsRow], width: int, height: int, look: Look
) -> list[list[Run]]:
    """Return the latest peers with how long each was waited for; a row counts the others.

    ``arrivals`` are latest first, as they are answered.
    """
    if not arrivals:
        return [[Run(f"  {look.text(say('no_peer_wait'))}", Role.PLAIN)]]
    longest = max(one.wait_ns for one in arrivals)
    cells = WIDE_BAR if width >= WIDE else NARROW_BAR
    lines: list[list[Run]] = []
    for one in arrivals:
        bar = bars.bar(one.wait_ns, longest, cells, ascii_level=look.ascii_level)
        said = [say("last")] if one.last else []
        said.append(_whether_here(one))
        lines.append(
            [
                Run(f"  {peer_name(one.peer, one.number):<{PEER_CELLS}}", Role.PLAIN),
                Run(look.text(f"{numbers.time_field(one.wait_ns)}  "), Role.PLAIN),
                Run(pad(bar, cells), Role.WAITING),
                Run(look.text(f"  {'   '.join(said)}"), Role.PLAIN),
            ]
        )
    if len(lines) > height > 0:
        left = len(lines) - height + 1
        more = look.text(say("came_earlier", count=left))
        lines[height - 1 :] = [[Run(f"  {more}", Role.PLAIN)]]
    return lines


def _whether_here(arrival: PeerArrivalsRow) -> str:
    if arrival.collected is None:
        return say("whether_here_unknown")
    return say("in_data" if arrival.collected else "not_in_data")
