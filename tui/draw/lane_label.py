"""The name of a lane at its left: where it is, its letter, and what is on it."""

from ..words.spoken import say, shown
from . import names
from .role import letter_of
from .safe_text import cell_len, clean, pad

_PLACE_OF_KIND = {"python": "host", "host": "host", "cann": "cann"}

_SHORT_PART = {"control": "ctl"}

_PLACE_WIDTH = 5


def lane_label(
    kind: str, stream_id: int | None, part: str | None, thread_name: str | None, width: int
) -> str:
    """Return the label of a lane, exactly ``width`` cells: ``s2 C cube``, ``host  python``.

    Where the whole of it does not fit, the letter is left: ``s2 C``. ``thread_name`` may
    hold anything; the mark of a selected lane has a column of its own before it. ``flow``
    is the row of arrows.
    """
    name = clean(thread_name or kind)
    if kind == "gap":
        label = _first_fitting(width, f"   · {say('lane_gaps')}", "   ·")
    elif kind == "flow":
        label = _first_fitting(width, f"      {say('lane_flow')}", say("lane_flow"))
    elif kind == "stream" and stream_id is not None:
        label = _of_stream(stream_id, part, width)
    elif kind in _PLACE_OF_KIND:
        label = _of_host(_PLACE_OF_KIND[kind], name, width)
    else:
        letter = letter_of(part, kind)
        label = f"{letter} {name}" if letter else name
    return pad(names.fitted(label, width), width)


def _of_stream(stream_id: int, part: str | None, width: int) -> str:
    place = f"s{stream_id}"
    if part is None:
        return place
    name = shown(clean(part))
    short = letter_of(part) or _SHORT_PART.get(part, name)
    if letter_of(part):
        return _first_fitting(width, f"{place} {short} {name}", f"{place} {short}")
    return _first_fitting(width, f"{place} {name}", f"{place} {short}")


def _of_host(place: str, name: str, width: int) -> str:
    """Return place and thread; where there is no room for both, an initial or no thread."""
    if width > 2 * _PLACE_WIDTH:
        room = width - _PLACE_WIDTH - 1
        return f"{place:<{_PLACE_WIDTH}} {names.fitted(name, room)}"
    return _first_fitting(width, f"{place[0]}.{name}", place)


def _first_fitting(width: int, *labels: str) -> str:
    """Return the first label that fits, the last one if none does."""
    return next((label for label in labels if cell_len(label) <= width), labels[-1])
