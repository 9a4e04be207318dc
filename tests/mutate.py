"""Small traces and the damage that files come to, both from a seed."""

import json
import random
from typing import Final

from build_event import Verbatim, event_text

NAMES: Final = ("MatMulV2", "aten::add", "算子", 'q"uo\\te', "hcom_allReduce__1_0_1", "")
SPLICES: Final = (
    b"\0", b"\0" * 40, b"\xff", b"\x01", b"\t", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":",
    b"\\ud800", b"NaN", b"\xed\xa0\x80", b"\n", b"e3", b"9" * 19,
)  # fmt: skip


def small_trace(random_: random.Random) -> bytes:
    """Return a trace of some dozen events in one of the styles that profilers write."""
    events = [_event(random_, number) for number in range(random_.randrange(3, 24))]
    between = random_.choice([",", ", ", ",\n"])
    text = "[" + between.join(events) + "]"
    match random_.randrange(4):
        case 0:
            text = '{"schemaVersion": 1, "traceEvents": ' + text + ', "displayTimeUnit": "ns"}'
        case 1:
            text = '{"traceEvents":' + text + "}\n"
        case _:
            pass
    return text.encode()


def _event(random_: random.Random, number: int) -> str:
    ts = f"17364088837{number:05}.{random_.randrange(1000):03}"
    pid, tid = random_.choice([1, 7, 4376751100]), random_.choice([1, 2, '"s"'])
    fields: dict[str, object] = {
        "name": random_.choice(NAMES),
        "ph": random_.choices(["X", "M", "C", "s"], [12, 1, 1, 1])[0],
        "pid": pid,
        "tid": tid,
        "ts": random_.choice([ts, Verbatim(ts), Verbatim(f"{number}e3")]),
        "dur": Verbatim(random_.choice(["0", "1.5", "12.77012757357446", "784"])),
    }
    if random_.random() < 0.7:
        fields["args"] = random_.choice(
            [
                {"Task Type": "AI_CORE", "connection_id": 1 << 64, "n": [1, {"name": "x"}]},
                {"name": "inner", "list": [[1, 2], {"a": {}}]},
                {"Call stack": "a.py(1): f;\r\nb.py(2): g", "s": "}]{,"},
                {},
            ]
        )
    keys = list(fields)
    if random_.random() < 0.3:
        random_.shuffle(keys)
    text = event_text({key: fields[key] for key in keys})
    return text if random_.random() < 0.5 else json.dumps(json.loads(text), separators=(",", ":"))


def damaged(random_: random.Random, text: bytes) -> bytes:
    """Return the text with up to three kinds of damage."""
    for _ in range(random_.randrange(1, 4)):
        text = _damage(random_, text)
    return text


def _damage(random_: random.Random, text: bytes) -> bytes:  # noqa: PLR0911 # one for each way
    size = len(text)
    if size < 8:
        return text
    at = random_.randrange(2, size)
    to = min(size, at + random_.choice([1, 2, 9, 60, 400]))
    match random_.randrange(9):
        case 0:
            flipped = text[at] ^ (1 << random_.randrange(8))
            return text[:at] + bytes([flipped]) + text[at + 1 :]
        case 1:
            return text[:at]
        case 2:
            return text[:at] + random_.choice(SPLICES) + text[at:]
        case 3:
            return text[:to] + text[at:]
        case 4:
            return text[:at] + text[to:]
        case 5:
            middle = (at + to) // 2
            return text[:at] + text[middle:to] + text[at:middle] + text[to:]
        case 6:
            return text[:at] + b"\0" * (to - at) + text[to:]
        case 7:
            return text + random_.choice([b"", b"\n", b","]) + small_trace(random_)
        case _:
            other = small_trace(random_)
            cut = random_.randrange(len(other))
            return text[:at] + other[cut : cut + to - at] + text[at:]
