# The strict scanner of trace events in C; see native/scanner.c.

from array import array
from typing import Final, TypeAlias, final

# Why scanning stopped: at the end of the text, inside an event that is not whole, or at
# something that is no strict JSON and is left to the tolerant reader.
END: Final[int]
MORE: Final[int]
REFUSED: Final[int]

_Text: TypeAlias = bytes | bytearray

# The events of one block of a timeline as rows. Of events outside start to end in ns no
# rows are made. All methods that take the text want the one that was scanned, unchanged,
# and raise ValueError for another.
@final
class Scanner:
    def __new__(cls, start: int = ..., end: int = ...) -> Scanner: ...

    # Events, and rows of slices, flow ends and args.
    @property
    def counts(self) -> tuple[int, int, int, int]: ...

    # Forget all rows, so that another text may be scanned.
    def clear(self) -> None: ...

    # Add the events of a range; return where scanning stopped, and why. Other threads run.
    def scan(self, text: _Text, start: int, end: int, /) -> tuple[int, int]: ...

    # Count an event that was read elsewhere; return its number in the block.
    def pass_event(self) -> int: ...

    # Texts that the rows have codes of, with the escapes of JSON, and for each whether it
    # is more than the name of a slice.
    def words(self, text: _Text, /) -> list[tuple[bytes, bool]]: ...

    # JSON texts of the lanes' process and thread id, and their first event.
    def lanes(self, text: _Text, /) -> list[tuple[bytes, bytes, int]]: ...

    # Number, start and end in the text of events that are strict, not simple.
    def odd(self) -> list[tuple[int, int, int]]: ...

    # The columns of SLICE_ROWS, then the bits of those that may be NULL.
    def slices(
        self,
        words: array[int],
        lanes: array[int],
        first_seq: int,
        first_arg_set_id: int,
        span: int,
        instant: int,
        /,
    ) -> tuple[bytes, ...]: ...

    # The columns of FLOW_ROWS.
    def flows(
        self, words: array[int], lanes: array[int], first_seq: int, /
    ) -> tuple[bytes, ...]: ...

    # The columns of ARG_ROWS: ids, and offsets and bytes of the texts.
    def args(self, text: _Text, first_arg_set_id: int, /) -> tuple[bytes, bytes, bytes]: ...
