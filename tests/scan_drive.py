"""Drives the scanner in C over damaged and cut texts, without the rest of the reader.

Run as a program it scans them with the module whose path is given; a build with
sanitizers stops it where memory is misused. Each text lies in memory of just its size.
"""

import sys
from array import array
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from random import Random
from typing import Any

import event_texts
import mutate

DAMAGED = 500
CUT_BYTES = 3_000
MANY = 10_000
"""More rows and words than there is room for at first."""


def texts(chance: Random) -> Iterator[bytes]:
    """Yield whole traces, damaged ones, and all that a cut may leave of some."""
    yield many(chance)
    for _ in range(DAMAGED):
        yield mutate.damaged(chance, mutate.small_trace(chance))
        yield event_texts.damaged(generated(chance), chance)
    for text in (mutate.small_trace(chance), generated(chance), generated(chance)):
        yield from (text[:size] for size in range(min(len(text), CUT_BYTES) + 1))


def generated(chance: Random) -> bytes:
    events = [event_texts.event_text(chance) for _ in range(chance.randrange(2, 12))]
    return event_texts.document(events, chance)


def many(chance: Random) -> bytes:
    events = [
        f'{{"ph":"{phase}","name":"n{n}","cat":"c{n}","id":"i{n}","pid":{n},"tid":"t{n}",'
        f'"ts":{n},"dur":{dur},"args":{{"Task Type":"t{n}","n":{n}}}}}'
        for n, (phase, dur) in enumerate(
            (chance.choice("XXsX"), chance.choice(("1", "null"))) for _ in range(MANY)
        )
    ]
    return ("[" + ",".join(events) + "]").encode()


def exact(text: bytes) -> "array[int]":
    """Return a copy behind which no byte may be read; bytes end in one more."""
    copy = array("B", [0]) * len(text)
    memoryview(copy)[:] = text
    return copy


def scan(scanner: Any, text: "array[int]") -> tuple[int, ...]:  # noqa: ANN401 # of any build
    """Scan at each opening brace that is no part of an event; return the counts of rows."""
    scanner.clear()
    place = 0
    while (place := text.tobytes().find(b"{", place)) >= 0:
        following, _ = scanner.scan(text, place, len(text))
        place = max(following, place + 1)
    scanner.pass_event()
    words, lanes, odd = scanner.words(text), scanner.lanes(text), scanner.odd()
    codes, numbers = array("i", range(len(words))), array("i", range(len(lanes)))
    scanner.slices(codes, numbers, 1, 1, 1, 2)
    scanner.flows(codes, numbers, 1)
    scanner.args(text, 1)
    return (*scanner.counts, len(odd))


def main(path: str) -> None:
    """Scan all texts with a module; say how many rows they have."""
    spec = spec_from_file_location("_scan", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    scanners = [module.Scanner(), module.Scanner(start=5_000, end=1 << 60)]
    chance = Random(1)  # noqa: S311 # makes traces, no secrets
    totals = [0] * 5
    for text in texts(chance):
        for scanner in scanners:
            # Another one has no room yet.
            for one in (scanner, module.Scanner()):
                found = scan(one, exact(text))
                totals = [total + count for total, count in zip(totals, found, strict=True)]
    print(*totals)  # noqa: T201 # what the test reads


if __name__ == "__main__":
    main(sys.argv[1])
