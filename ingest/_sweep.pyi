# One pass over the spans of a device, in C; the package works without it.

from typing import Self, TypeAlias

from typing_extensions import Buffer

# Five columns as Arrow lays them out: numbers side by side, booleans as bits.
Columns: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes]

# The pass over one device; it holds the spans that are open.
#
# borders are instants (int64 ns, ascending) at which segments are cut besides; they are
# copied. Raises ValueError for borders that do not ascend.
class Sweep:
    def __new__(cls, borders: Buffer, /) -> Self: ...

    # Take spans in the order of ts; return the segments and gaps that they complete.
    #
    # Times and numbers are int64, states 1 to 9 in a byte each. Segments are ts, end_ts,
    # state, computes and communicates; gaps are ts, end_ts, wait_ns, prev_slice_id and
    # next_slice_id. Raises ValueError for columns of different lengths, spans out of order
    # or without length and other states, OverflowError for a wait that 64 bits do not
    # hold, and RuntimeError after that, or while another thread is in here.
    def feed(
        self, ts: Buffer, end_ts: Buffer, state: Buffer, slice_id: Buffer, /
    ) -> tuple[Columns, Columns]: ...

    # Return what is left after the last span, as feed does; nothing follows it.
    def finish(self) -> tuple[Columns, Columns]: ...
