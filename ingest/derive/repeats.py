"""Iterations that nothing marks, found where the same kernels come again and again.

The kernels of a stream are a sequence of names. A name, or a few names in a row, that comes
once in each iteration cuts it into pieces, and of all such cuts the one counts whose
pieces are longest and still repeat: layers repeat inside iterations, not the other way round.
Iterations of two kinds (prefill between decodes) may take turns as long as runs of one
kind make up half of the kernels. Only names are compared: lengths and gaps may be anything.

It is a conclusion, and where the kernels allow another one as well there is none: what
stands between other kernels may be the layers of one iteration, and what repeats in an
order that comes twice may be parts of two. Kinds that always follow each other in one
order are one long iteration, for nothing in their names says otherwise.
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


class Repeats(NamedTuple):
    """Where each iteration begins and ends, or why what repeats is not taken for one.

    Places count kernels from 0, ends are exclusive. ``doubt`` is empty where there are places,
    and where nothing repeats.
    """

    places: list[tuple[int, int]]
    doubt: str = ""


class _Cut(NamedTuple):
    """Places where the same names stand; the best cut is the largest.

    ``usual`` is how many kernels lie most often between two of them. Of equally long ones that with
    the most places counts, then the one that begins ``early``.
    """

    usual: int
    times: int
    early: int
    places: list[int]


def find_iterations(names: pa.Array | pa.ChunkedArray) -> Repeats:
    """Return where each iteration begins and ends among the kernels of a stream in their order.

    ``names`` are the kernels' names or their codes. An iteration that is cut off at the end is
    none, nor is one kernel again and again. Takes time in proportion to their number.
    """
    if len(names) < LEAST_ITERATIONS:
        return Repeats([])
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
    if best is None or best.usual == 1:
        return Repeats([])
    found = list(_iterations(kernels, best))
    doubt = _doubt(kernels, found)
    if not doubt and (seams := _seams(kernels, found)) is not None:
        found = _at_seams(kernels, found, seams)
        doubt = _doubt(kernels, found) if found else "some of what repeats holds another whole"
    return Repeats([], doubt) if doubt else Repeats(found)


def _doubt(kernels: bytes, found: list[tuple[int, int]]) -> str:
    """Return what speaks against pieces that repeat being iterations; empty for nothing."""
    if len(found) < LEAST_ITERATIONS:
        return f"what repeats comes less than {LEAST_ITERATIONS} times"
    pieces = [_piece(kernels, *place) for place in found]
    kinds = set(pieces)
    head, tail = kernels[: found[0][0] * _CODE], kernels[found[-1][1] * _CODE :]
    if (head and not any(one.endswith(head) for one in kinds)) and (
        tail and not any(one.startswith(tail) for one in kinds)
    ):
        return "what repeats stands between other kernels: it may be layers of one iteration"
    if len(kinds) > 1 and 2 * _period(pieces) <= len(pieces):
        return "what repeats does so in an order that comes twice: it may be parts of an iteration"
    return ""


def _seams(kernels: bytes, found: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Return the pairs of kernels that may end one piece and begin the next.

    A piece that is the usual one with something of its size put in holds another whole, such as
    a prefill between two decodes. That begins and ends as the usual one does, in a pair that the
    usual one does not have elsewhere. None where no piece holds another.
    """
    pieces = [_piece(kernels, *place) for place in found]
    usual = _kernels(Counter(pieces).most_common(1)[0][0])
    size = len(usual)
    first, last = 0, size
    put_in: list[array[int]] = []
    for piece in map(_kernels, dict.fromkeys(pieces)):
        if 2 * len(piece) < 3 * size:
            continue
        before, behind = _shared(usual, piece), _shared(usual[::-1], piece[::-1])
        if before + behind >= size:
            first, last = max(first, size - behind), min(last, before)
            put_in.append(piece)
    if not put_in:
        return None
    pairs = Counter((usual[place - 1], usual[place]) for place in range(size))
    return [
        (usual[place - 1], usual[place % size])
        for place in range(first, last + 1)
        if pairs[usual[place - 1], usual[place % size]] == 1
        and all(
            (piece[place], piece[place + len(piece) - size - 1])
            == (usual[place % size], usual[place - 1])
            for piece in put_in
        )
    ]


def _at_seams(
    kernels: bytes, found: list[tuple[int, int]], seams: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the pieces between the first seam at which none is far shorter than it was."""
    whole = _kernels(kernels)
    least = min(end - start for start, end in found)
    for before, behind in seams:
        starts = [
            place
            for place in range(len(whole))
            if whole[place] == behind and (place == 0 or whole[place - 1] == before)
        ]
        if len(starts) > len(found) and all(
            4 * (end - start) >= least for start, end in pairwise(starts)
        ):
            return list(_iterations(kernels, _Cut(least, len(starts), -starts[0], starts)))
    return []


def _kernels(piece: bytes) -> "array[int]":
    kernels = array("i")
    kernels.frombytes(piece)
    return kernels


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many kernels two pieces begin with alike."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _period(pieces: Sequence[object]) -> int:
    """Return after how many pieces at least they begin anew, up to the end."""
    same = [0]
    for one in pieces[1:]:
        length = same[-1]
        while length and pieces[length] != one:
            length = same[length - 1]
        same.append(length + (pieces[length] == one))
    return len(pieces) - same[-1]


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
