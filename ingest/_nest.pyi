"""One pass over sorted slices in C: nesting, ends of arrows, cells of the grid.

Columns are buffers of flat values: int64 but where it says otherwise.
"""

from collections.abc import Buffer
from typing import ClassVar, final

@final
class Nest:
    """The pass: give batches as ``run`` asks for them, take what it has made.

    Lanes are numbered from ``first_track``. Cells have levels ``finest`` to
    ``coarsest``; slices before ``first_ts`` take no part in them. Methods raise
    ValueError for rows that are not in order or no rows at all, MemoryError, and
    RuntimeError while another thread runs it.
    """

    DONE: ClassVar[int]
    SLICES: ClassVar[int]
    PARTS: ClassVar[int]
    FLOWS: ClassVar[int]
    ROOM: ClassVar[int]
    """What a run wants: nothing more, a batch of a stream, or that cells are taken."""

    def __new__(
        cls,
        *,
        tracks: int,
        first_track: int,
        first_ts: int,
        block_bits: int,
        finest: int,
        coarsest: int,
        most_cells: int = ...,
    ) -> Nest: ...
    def slices(
        self, count: int, slice_id: Buffer, track_id: Buffer, ts: Buffer, dur: Buffer, code: Buffer
    ) -> None:
        """Give slices by (ts >> block_bits, track_id, ts, longest first); none ends them.

        ``code`` is the uint8 number of the class.
        """
    def parts(self, count: int, slice_id: Buffer, part: Buffer) -> None:
        """Give slices that stand on a part (uint8, 1 to 7) by slice_id; none ends them."""
    def flows(self, count: int, track_id: Buffer, ts: Buffer) -> None:
        """Give ends of arrows by (ts >> block_bits, track_id, ts); none ends them."""
    def run(self) -> int:
        """Go on, without the GIL, until something is wanted, and return what."""
    def nestings(self) -> tuple[int, bytes, bytes, bytes, bytes]:
        """Take what the slices became once more are wanted.

        How many have no parent; depth and sublane (int32), which have a parent (bits), parent.
        """
    def bound(self) -> tuple[int, bytes, bytes]:
        """Take what the arrows became once more are wanted.

        How many stand on no slice; which do (bits), slice.
        """
    def cells(self) -> tuple[int, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]:
        """Take the finished cells.

        How many; track_id, part (uint8, 0 for the whole), level (uint8), bucket, busy,
        count, top slice, its class (uint8).
        """
    def lanes(self) -> list[tuple[int, int, int, int, int, int, int | None, int | None]]:
        """Return all that is known of lanes and parts, in this order, at the end.

        track_id, part, slices, busy, deepest, sublanes, ts, end_ts.
        """
