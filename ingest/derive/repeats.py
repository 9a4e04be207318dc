"""Iterations that nothing marks, found where the same kernels come again and again.

The kernels of a stream are a sequence of names. A name, or a few names in a row, that comes
once in each iteration cuts it into pieces, and of all such cuts the one counts whose
pieces are longest and still repeat: layers repeat inside iterations, not the other way round.
Iterations of two kinds (prefill between decodes) may take turns as long as runs of one
kind make up half of the kernels. Only names are compared: lengths and gaps may be anything.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, cast

import pyarrow as pa
import pyarrow.compute as pc

LEAST_ITERATIONS: Final = 3
"""Fewer are no habit."""

LONGEST_WORD: Final = 64
"""So many names in a row at most tell one place of an iteration from all others."""

SHORT_PIECE: Final = 8
"""Kernels below which pieces are alike by chance."""

_CODE: Final = array("i").itemsize
"""Bytes of a name's code."""


class _Cut(NamedTuple):
    """Places where the same names stand; the best cut is the largest.

    ``usual`` is how many kernels lie most often between two of them. Of equally long ones that with
    the most places counts, then the one that begins ``early``.
    """

    usual: int
    times: int
    early: int
    places: list[int]


def find_iterations(names: pa.Array | pa.ChunkedArray) -> list[tuple[int, int]]:
    """Return where each iteration begins and ends among the kernels of a stream in their order.

    ``names`` are the kernels' names or their codes. Places count from 0, ends are exclusive. An
    iteration that is cut off at the end is none, nor is one kernel again and again. Empty if
    the kernels do not repeat. Takes time in proportion to their number.
    """
    if len(names) < LEAST_ITERATIONS:
        return []
    words = _codes(names)
    kernels = array("i", words.to_pylist()).tobytes()
    best: _Cut | None = None
    length, known = 1, 0
    while (distinct := len(words.unique())) > known:
        for places in _rarest_first(words):
            if _may_beat(best, places) and (cut := _cut(kernels, places)):
                best = max(best, cut) if best else cut
        # Longer words must come again, and not every one of these is alone.
        if length == LONGEST_WORD or 2 * max(length, distinct) > len(words):
            break
        known = distinct
        words = _joined(words, length)
        length *= 2
    if best is None:
        return []
    found = list(_iterations(kernels, best))
    return found if best.usual > 1 and len(found) >= LEAST_ITERATIONS else []


def _codes(names: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return small numbers from 0 for whatever stands in an array."""
    whole = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
    encoded = cast("pa.DictionaryArray", whole.dictionary_encode())
    return encoded.indices.cast(pa.int64())


def _joined(words: pa.Array, length: int) -> pa.Array:
    """Return the words twice as long, each of two that follow each other."""
    most = len(words.unique())
    first = pc.call_function("multiply", [words.slice(0, len(words) - length), most])
    return _codes(pc.call_function("add", [first, words.slice(length)]))


def _rarest_first(words: pa.Array) -> Iterator[list[int]]:
    """Give the places of each word that comes several times, those farthest apart first."""
    places = pa.array(range(len(words)), pa.int64())
    grouped = pa.table({"word": words, "place": places}).group_by("word")
    groups = grouped.aggregate([("place", "count"), ("place", "min"), ("place", "max")])
    groups = groups.sort_by("word")
    counts, first = groups["place_count"], groups["place_min"]
    apart = pc.call_function("subtract", [groups["place_max"], first])
    between = pc.call_function("subtract", [counts, 1])
    listed = pa.table(
        {
            "end": pc.call_function("cumulative_sum", [counts]),
            "count": counts,
            "first": first,
            "mean": pc.call_function(
                "divide", [apart, pc.call_function("max_element_wise", [between, 1])]
            ),
        }
    )
    listed = listed.filter(pc.call_function("greater", [counts, 1]))
    listed = listed.sort_by(
        [("mean", "descending"), ("count", "descending"), ("first", "ascending")]
    )
    order = pc.call_function("array_sort_indices", [words])
    for end, count in zip(listed["end"].to_pylist(), listed["count"].to_pylist(), strict=True):
        yield order.slice(end - count, count).to_pylist()


def _may_beat(best: _Cut | None, places: list[int]) -> bool:
    """Tell whether a cut at these places can be better than the best so far.

    Pieces that repeat inside an iteration are at most half as long as it.
    """
    if best is None:
        return True
    count, apart = len(places), places[-1] - places[0]
    if apart >= 2 * best.usual * (count - 1):
        return True
    longer = apart >= best.usual * (count - 1)
    return longer and (count, -places[0]) > (best.times, best.early)


def _cut(kernels: bytes, places: list[int]) -> _Cut | None:
    """Return the cut at some places if most kernels lie in pieces that repeat."""
    whole = len(kernels) // _CODE
    lengths = [end - start for start, end in pairwise([*places, whole])]
    if 2 * _repeated(lengths, lengths).total() + places[0] + lengths[-1] < whole:
        return None
    *pieces, tail = (_piece(kernels, *place) for place in pairwise([*places, whole]))
    head, last = kernels[: places[0] * _CODE], pieces[-1]
    # What is open at the end is as the piece before if it goes on like that.
    lengths[-1] = min(lengths[-1], lengths[-2])
    repeated = _repeated([*pieces, tail[: len(last)]], lengths)
    if not repeated:
        return None
    usual = max(repeated, key=lambda length: (repeated[length], length))
    count = repeated.total()
    if head and pieces[0].endswith(head):
        count += len(head) // _CODE
    if len(tail) < len(last) and last.startswith(tail):
        count += len(tail) // _CODE
    # Short pieces are alike by chance: of those nearly all must be.
    least = whole * 7 // 8 if usual < SHORT_PIECE else whole // 2
    return _Cut(usual, len(places), -places[0], places) if count >= least else None


def _repeated(pieces: Sequence[object], lengths: list[int]) -> Counter[int]:
    """Count kernels by the length of their piece, in pieces that are as one of their neighbours."""
    found: Counter[int] = Counter()
    before = False
    for length, (one, other) in zip(lengths, pairwise([*pieces, None]), strict=True):
        after = one == other
        if before or after:
            found[length] += length
        before = after
    return found


def _iterations(kernels: bytes, cut: _Cut) -> Iterator[tuple[int, int]]:
    """Give the pieces of a cut, moved to where the first of them begins.

    What stands before every place in the same way belongs to the iteration as far as it goes.
    """
    first = cut.places[0]
    before = 0
    least = min(end - start for start, end in pairwise(cut.places))
    while before < min(first, least - 1) and all(
        _piece(kernels, place - before - 1, place - before)
        == _piece(kernels, first - before - 1, first - before)
        for place in cut.places
    ):
        before += 1
    starts = [place - before for place in cut.places]
    yield from pairwise(starts)
    known = sorted({_piece(kernels, *place) for place in pairwise(starts)}, key=len, reverse=True)
    last, end = starts[-1], len(kernels) // _CODE
    while last < end:
        rest = kernels[last * _CODE :]
        length = next((len(one) // _CODE for one in known if rest.startswith(one)), None)
        if length is None:
            return
        yield last, last + length
        last += length


def _piece(kernels: bytes, start: int, end: int) -> bytes:
    return kernels[start * _CODE : end * _CODE]
