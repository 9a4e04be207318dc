# The docstrings are in native/nest_module.c.

from typing import ClassVar, final

from typing_extensions import Buffer

@final
class Nest:
    DONE: ClassVar[int]
    SLICES: ClassVar[int]
    PARTS: ClassVar[int]
    FLOWS: ClassVar[int]
    ROOM: ClassVar[int]

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
    ) -> None: ...
    def parts(self, count: int, slice_id: Buffer, part: Buffer) -> None: ...
    def flows(self, count: int, track_id: Buffer, ts: Buffer) -> None: ...
    def run(self) -> int: ...
    def nestings(self) -> tuple[int, bytes, bytes, bytes, bytes]: ...
    def bound(self) -> tuple[int, bytes, bytes]: ...
    def cells(self) -> tuple[int, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]: ...
    def lanes(self) -> list[tuple[int, int, int, int, int, int, int | None, int | None]]: ...
