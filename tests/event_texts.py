"""Texts of events as profilers write them, as nobody should, and damaged."""

import json
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = [
    "MatMul", "", "HostToDevice12", 'a}, {"b', "算子", 'q"\\/\n', "\U0001f600", "process_name",
    "thread_name", "process_sort_index", "k" * 40, "Flow7", "hcom_allReduce_", "\x7f", "é" * 9,
]  # fmt: skip
ODD_NAMES = ["null", "17", '"half \\ud800"', '"\\u0041\\/"', "[]", '"tab\there"', '"\\x"']
IDS = [
    "1", "2", "7", "-1", "0", "12", '"7"', '"007"', '"x1"', '"\\u0031"', "1.5", "null", "{}", "[1]",
    '"算"', '""', "4294967295", "18446744073709551615", "4611686018427387904", "true", "1e3",
    "4611686018427387903", '"4611686018427387903"', "9223372036854775808", "123456789012345678901",
]  # fmt: skip
NUMBERS = ['"N/A"', '" 5 "', '"1_0"', '"+3"', '"-"', "12345678901234567890", '"3.0"', '"-1"', "-7"]
TIMES = [
    '" 12.5 "', '".5"', '"5."', '"."', '""', '"soon"', "null", "true", "[1]", "1e3", "-0", "0.0005",
    "0.0015", "-0.0025", "4611686018427387.904", "4611686018427387.905", "1e400", "1.5e-3", '"+1"',
    '"1.5\\t"', '"1 2"', "2305843009213693.953", "2305843009213693.952", "0.00050000001", "99.9996",
    "12345678901234567", "00001", "1.", ".5", "-", '"-1.0005"', '"0001717576055602427.068"',
]  # fmt: skip
VALUES = [
    "1",
    "-2.5e7",
    "true",
    "false",
    "null",
    '"text"',
    "[]",
    "{}",
    '[1,{"a":[[]]},"]"]',
    '"\\""',
]
PHASES = "XXXXXXXXiIstfMBEbenC?"
ARGS = (
    "Task Type", "task type", "Stream Id", "Physic Stream Id", "stream id", "Task Id", "task id",
    "connection_id", "Call stack", "n", "name", "sort_index", "Task\\u0020Id",
)  # fmt: skip


def event_text(chance: Random) -> str:
    """Return the text of an event: usual, or with anything in any field."""
    if chance.random() < 0.5:
        return _usual(chance)
    fields: dict[str, Callable[[Random], str]] = {
        "name": _name, "cat": _name, "ts": _time, "dur": _time, "pid": _id, "tid": _id, "id": _id,
        "args": args_text, "bind_id": _id, "flow_in": _flag, "flow_out": _flag, "bp": _name,
        "na\\u006de": _name, "extra": _value,
    }  # fmt: skip
    keys = [key for key in fields if chance.random() < (0.75 if len(key) < 5 else 0.1)]
    keys.append("ph")
    chance.shuffle(keys)
    if chance.random() < 0.05:
        keys.append(chance.choice(keys))
    parts = [(key, _phase(chance) if key == "ph" else fields[key](chance)) for key in keys]
    return _object(chance, parts)


def args_text(chance: Random) -> str:
    """Return the text of args, which seldom are no object."""
    if chance.random() < 0.15:
        return chance.choice(["{}", "{ }", "null", "[]", '"text"', "3", '{"a":NaN}', "[[[1]]]"])
    keys = [key for key in ARGS if chance.random() < 0.25]
    if keys and chance.random() < 0.05:
        keys.append(keys[0])
    return _object(chance, [(key, _arg(chance, key)) for key in keys])


def document(parts: list[str], chance: Random) -> bytes:
    """Return events as a file: an array, seldom keyed, with a mark, or events by themselves."""
    comma = chance.choice([",", ", ", ",\n", "\r\n,\t"])
    text = comma.join(parts).encode("utf-8", "surrogatepass")
    start, end = chance.choice([
        (b"[", b"]"), (b"[\n", b"\n]\n"), (b'{"traceEvents": [', b'],"displayTimeUnit":"ns"}'),
        (b"\xef\xbb\xbf[", b"]"), (b"[", b""), (b"[", b",]"), (b"", b""), (b"[", b"]" + text),
        (b'{"a":1,"traceEvents":[', b"]}"), (b"[", b"][" + text + b"]"),
    ])  # fmt: skip
    return start + text + end


def damaged(text: bytes, chance: Random) -> bytes:
    """Return a text with some bytes changed, removed, added, or its end cut off."""
    changed = bytearray(text)
    for _ in range(chance.randrange(1, 4)):
        if not changed:
            break
        at = chance.randrange(len(changed))
        match chance.randrange(5):
            case 0:
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                del changed[at : at + chance.randrange(1, 30)]
            case 2:
                changed[at:at] = chance.choice([
                    b'"', b"}", b"]", b",", b"{", b"[", b"\\", b"NaN", b"\xff", b"\0",
                    b"\xed\xa0\x80",
                    b" x ", b'{"ph":"X"}', b"},{", b'"},{"ph":"X","name":"in",',
                ])  # fmt: skip
            case 3:
                other = chance.randrange(len(changed))
                changed[at:at] = changed[other : other + chance.randrange(1, 60)]
            case _:
                if chance.random() < 0.3:
                    del changed[at:]
    return bytes(changed)


def _usual(chance: Random) -> str:
    name = chance.choice(NAMES)
    ts, dur = chance.randrange(10**6), chance.randrange(1000)
    args = chance.choice([
        "{}", f'{{"connection_id":{dur}}}', '{"Task Type":"AI_CORE","Stream Id":2,"Task Id":7}',
        '{"name":"Python"}', '{"MHz":1800}', '{"Call stack":"a}, {\\"b"}',
    ])  # fmt: skip
    return (
        f'{{"ph":"{chance.choice(PHASES)}","name":{json.dumps(name, ensure_ascii=False)},'
        f'"pid":{chance.randrange(1, 3)},"tid":{chance.randrange(3)},"id":{chance.randrange(9)},'
        f'"ts":"1717576055{ts:06}.{dur:03}","dur":{dur / 8},"args":{args}}}'
    )


def _object(chance: Random, parts: list[tuple[str, str]]) -> str:
    colon, comma = chance.choice([(":", ","), (": ", ", "), (" :\t", "\r\n,")])
    return "{" + comma.join(f'"{key}"{colon}{value}' for key, value in parts) + "}"


def _name(chance: Random) -> str:
    if chance.random() < 0.1:
        return chance.choice(ODD_NAMES)
    return json.dumps(chance.choice(NAMES), ensure_ascii=chance.random() < 0.5)


def _phase(chance: Random) -> str:
    return chance.choice([*(f'"{phase}"' for phase in PHASES * 3), '""', '"XX"', "1", '"\\u0058"'])


def _id(chance: Random) -> str:
    return chance.choice(IDS[:5] if chance.random() < 0.6 else IDS)


def _time(chance: Random) -> str:
    if chance.random() < 0.3:
        return chance.choice(TIMES)
    whole = str(chance.randrange(10 ** chance.randrange(1, 18)))
    part = "".join(chance.choice("0123456789" if chance.random() < 0.5 else "05") for _ in range(6))
    text = whole + chance.choice(["", ".", "."]) + part[: chance.randrange(1, 7)]
    return json.dumps(text) if chance.random() < 0.5 else text


def _flag(chance: Random) -> str:
    return chance.choice(["true", "false", "false", "1", "null"])


def _value(chance: Random) -> str:
    return chance.choice(VALUES)


def _arg(chance: Random, key: str) -> str:
    if chance.random() < 0.15:
        return chance.choice(VALUES)
    if key.lower().endswith("type") or key == "Call stack":
        return _name(chance)
    return chance.choice(NUMBERS) if chance.random() < 0.3 else _id(chance)
