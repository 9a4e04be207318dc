"""What proves the cause of a gap: its pieces, the launch of what ended it, the host meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...queries.rows import GapsRow
from ...queries.rows_stall import StallsRow
from ...queries.rows_timeline import ChainRow, LongSlicesRow, SliceRow
from ..answers import Answers
from ..draw.lane import least_block_ns
from ..draw.viewport import Viewport
from ..timeline.gap_cause import load_pieces
from ..timeline.slab import finest_level

if TYPE_CHECKING:
    from ...queries.lane_cells import LaneCells

MARGIN = 12
"""The picture shows this part of the gap's length before and after it."""


@dataclass(frozen=True, slots=True)
class HostLane:
    """The thread of a stage, in the window of the picture."""

    stage: str
    """launch or enqueue."""
    thread: str | None
    cells: "LaneCells | None"
    """None where nothing ran on it."""
    slices: Sequence[LongSlicesRow]


@dataclass(frozen=True, slots=True)
class Proof:
    """All that is known of why a gap is there."""

    gap: GapsRow
    pieces: Sequence[StallsRow]
    """Idle and waiting time in it by cause, cut to the gap, longest first."""
    launch: ChainRow | None
    enqueue: ChainRow | None
    """Only with a task queue."""
    tasks: Sequence[SliceRow]
    """What ended before it and what began after it."""
    view: Viewport
    lanes: Sequence[HostLane]


def load_proof(answers: Answers, gap: GapsRow, cells: int) -> Proof:
    """Ask for what proves a gap, for a picture of ``cells`` cells; raises as ``Session.run``."""
    launch, enqueue = _host_calls(answers, gap)
    margin = max(1, gap.dur // MARGIN)
    view = Viewport.fit(gap.ts - margin, gap.ts + gap.dur + margin, cells)
    sides = (gap.prev_slice_id, gap.next_slice_id)
    tasks = [answers.first("slice", SliceRow, slice_id=one) for one in sides if one is not None]
    return Proof(
        gap,
        load_pieces(answers, gap),
        launch,
        enqueue,
        [one for one in tasks if one is not None],
        view,
        _lanes(answers, gap, {"launch": launch, "enqueue": enqueue}, view),
    )


def _host_calls(answers: Answers, gap: GapsRow) -> tuple[ChainRow | None, ChainRow | None]:
    if gap.next_slice_id is None:
        return None, None
    chain = answers.rows("chain", ChainRow, slice_id=gap.next_slice_id)
    nearest = {one.role: one for one in chain if one.distance == 0}
    return nearest.get("launch"), nearest.get("enqueue")


def _lanes(
    answers: Answers, gap: GapsRow, calls: dict[str, ChainRow | None], view: Viewport
) -> list[HostLane]:
    """Return the lanes of the threads that launched and enqueued; one of both is one lane."""
    by_track: dict[int, tuple[str, ChainRow]] = {}
    for stage, call in calls.items():
        if call is not None:
            by_track.setdefault(call.track_id, (stage, call))
    if not by_track:
        return []
    tracks = ",".join(map(str, by_track))
    cells = answers.lane_cells(view.level, view, tracks, finest_level(answers, gap.rank))
    slices = answers.rows(
        "long_slices",
        LongSlicesRow,
        from_ts=view.from_ts,
        to_ts=view.to_ts,
        min_dur=least_block_ns(view.level),
        tracks=tracks,
    )
    return [
        HostLane(
            stage,
            call.thread_name,
            next((one for one in cells if one.track_id == track), None),
            [one for one in slices if one.track_id == track],
        )
        for track, (stage, call) in by_track.items()
    ]
