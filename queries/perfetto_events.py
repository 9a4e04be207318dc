"""Slices, arrows and samples as the text of Chrome trace events.

The format is that of the Trace Event Format document; the order of events is
chosen for Perfetto's trace_processor. It sorts by ``ts``; at the same ``ts``
come complete events (``X``) that take time, the longest first, then all others
as they stand in the file. An arrow's end belongs to the slice that was put on
its thread last. Times are written as decimal microseconds from integers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import orjson

INSTANT_PHASES = frozenset("in")
NAMES_KEPT = 1 << 16

SURROGATES = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


class Slice(NamedTuple):
    """A slice to draw; times in ns of the trace's own clock."""

    slice_id: int
    lane: int
    ts: int
    dur: int
    name: str | None
    category: str | None
    phase: str | None
    arg_set_id: int | None


Kind = tuple[str | None, str | None]
"""Category and name of an arrow."""


class End(NamedTuple):
    """An end of an arrow at a slice; the arrow leaves the slice or arrives at it.

    ``at_ts`` is the instant of the end, which may lie within the slice.
    """

    arrow: int
    kind: Kind
    leaves: bool
    at_ts: int | None


class Sample(NamedTuple):
    """A finite value of a counter."""

    ts: int
    key: str | None
    value: float


def micros(ns: int) -> str:
    """Return ns as microseconds with exactly three decimals."""
    digits = str(ns).zfill(4 if ns >= 0 else 5)
    return f"{digits[:-3]}.{digits[-3:]}"


@lru_cache(NAMES_KEPT)
def json_text(text: str) -> str:
    """Return a text as a JSON string; what UTF-8 cannot hold is shown as its escape."""
    try:
        return orjson.dumps(text).decode()
    except orjson.JSONEncodeError:
        return orjson.dumps(text.encode(errors="backslashreplace").decode()).decode()


def args_json(text: str | None) -> str | None:
    """Return args as a JSON object, None if there is nothing in them.

    The text of the file stays as it is, numbers of any size included. Only
    characters that are written as a pair of escapes become plain ones:
    Perfetto would drop them and all args after them. What is no JSON object is
    kept as the text that it is.
    """
    if text is None:
        return None
    try:
        args = orjson.loads(text)
    except orjson.JSONDecodeError:
        args = None
    if not isinstance(args, dict):
        return f'{{"text":{json_text(text)}}}'
    if not args:
        return None
    return SURROGATES.sub(_joined, text) if "\\u" in text else text


def _joined(escape: re.Match[str]) -> str:
    high, low = escape.groups()
    if high is None:
        return escape[0]
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))


class Drawing:
    """Writes slices in drawing order as events, with the arrows that meet them.

    ``places`` has the pid and tid of each lane; ``offset_ns`` is the instant
    that becomes 0. It counts what it has written.
    """

    def __init__(self, places: Mapping[int, str], offset_ns: int) -> None:
        self.places = places
        self.offset_ns = offset_ns
        self.slices = 0
        self.instants = 0
        self.flows = 0
        self.reversed_flows = 0
        self._begun: dict[int, bool] = {}

    def events(
        self,
        slices: Iterable[Slice],
        ends: Mapping[int, Sequence[End]],
        args: Mapping[int, str],
    ) -> Iterator[str]:
        """Write slices that are ordered by start, the longer first, outer before inner.

        No start may be split between two calls.
        """
        for _, group in groupby(slices, key=attrgetter("ts")):
            together = list(group)
            if any(one.slice_id in ends for one in together):
                yield from self._instant(together, ends, args)
            else:
                for one in together:
                    yield self._slice(one, args)

    def samples(self, name: str, lane: int, samples: Iterable[Sample]) -> Iterator[str]:
        """Write the samples of a counter, ordered by time, those of an instant in one event."""
        head = f'{{"ph":"C","name":{json_text(name)},{self.places[lane]},"ts":'
        for ts, group in groupby(samples, key=attrgetter("ts")):
            values: dict[str, float] = {}
            for sample in group:
                key = sample.key or "value"
                # A key that comes again in an instant would replace the first.
                if key in values:
                    yield self._sample(head, ts, values)
                    values = {}
                values[key] = sample.value
            yield self._sample(head, ts, values)

    def _sample(self, head: str, ts: int, values: dict[str, float]) -> str:
        return f'{head}{micros(ts - self.offset_ns)},"args":{orjson.dumps(values).decode()}}}'

    def _instant(
        self,
        together: Sequence[Slice],
        ends: Mapping[int, Sequence[End]],
        args: Mapping[int, str],
    ) -> Iterator[str]:
        """Write the slices that start at one instant and the arrows that meet them.

        An arrow at the innermost slice of its lane can wait until all slices
        are written. At any other it must follow its slice at once, and then the
        slices inside cannot be complete events, which would be sorted before
        it: they are written as begin and end.
        """
        innermost = {one.lane: one.slice_id for one in together}
        split: set[int] = set()
        closing: list[str] = []
        waiting: list[tuple[Slice, End]] = []
        for one in together:
            if one.lane in split and one.dur:
                yield self._begin(one, args)
                closing.append(self._end(one))
            else:
                yield self._slice(one, args)
            here = [(one, end) for end in ends.get(one.slice_id, ())]
            if innermost[one.lane] == one.slice_id:
                waiting += here
            elif here:
                split.add(one.lane)
                for at, end in here:
                    yield self._arrow(at, end)
        waiting.sort(key=lambda met: not met[1].leaves)
        for at, end in waiting:
            yield self._arrow(at, end)
        yield from reversed(closing)

    def _slice(self, one: Slice, args: Mapping[int, str]) -> str:
        if one.phase in INSTANT_PHASES:
            self.instants += 1
            return f'{{"ph":"i","s":"t"{self._members(one, one.ts, args)}}}'
        self.slices += 1
        dur = f',"dur":{micros(one.dur)}'
        return f'{{"ph":"X"{self._members(one, one.ts, args, dur)}}}'

    def _begin(self, one: Slice, args: Mapping[int, str]) -> str:
        self.slices += 1
        return f'{{"ph":"B"{self._members(one, one.ts, args)}}}'

    def _end(self, one: Slice) -> str:
        return f'{{"ph":"E"{self._members(one, one.ts + one.dur, {})}}}'

    def _members(self, one: Slice, ts: int, args: Mapping[int, str], dur: str = "") -> str:
        category = "" if one.category is None else f',"cat":{json_text(one.category)}'
        text = None if one.arg_set_id is None else args_json(args.get(one.arg_set_id))
        return (
            f',"name":{json_text(one.name or "")}{category},{self.places[one.lane]}'
            f',"ts":{micros(ts - self.offset_ns)}{dur}'
            + ("" if text is None else f',"args":{text}')
        )

    def _arrow(self, one: Slice, end: End) -> str:
        """Write an end of an arrow; the end that comes first starts it.

        Perfetto drops an arrow whose end it meets before its start. So one that
        points back in time is written the other way round, and its name says so.
        """
        starts = end.arrow not in self._begun
        if starts:
            turned = self._begun[end.arrow] = not end.leaves
            self.flows += 1
            self.reversed_flows += turned
        else:
            turned = self._begun.pop(end.arrow)
        phase = '"ph":"s"' if starts else '"ph":"f","bp":"e"'
        ts = micros(one.ts - self.offset_ns)
        at = ""
        if end.at_ts is not None and end.at_ts != one.ts:
            at = f',"args":{{"ts":{micros(end.at_ts - self.offset_ns)}}}'
        names = _kind_members(end.kind, turned=turned)
        return f'{{{phase},"id":{end.arrow}{names},{self.places[one.lane]},"ts":{ts}{at}}}'


@lru_cache(NAMES_KEPT)
def _kind_members(kind: Kind, *, turned: bool) -> str:
    category, name = kind
    shown = f"{name or ''} (reversed)" if turned else name or ""
    members = f',"name":{json_text(shown)}'
    return members if category is None else f',"cat":{json_text(category)}{members}'
