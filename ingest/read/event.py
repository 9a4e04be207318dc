"""One trace event as it stands in the file: its fields and its exact number texts.

Numbers that matter (``ts``, ``dur``, ids) stay as the bytes of the file, so that
their digits are read once, as decimal text, and never pass through a float.
"""

import json
import math
from typing import Any, cast

import msgspec

from ..text import printable

NOTHING = msgspec.Raw(b"")


class Event(msgspec.Struct, gc=False):
    """The fields of a Trace Event Format event that npuview reads."""

    ph: str = ""
    name: str | None = None
    cat: str | None = None
    pid: msgspec.Raw = NOTHING
    tid: msgspec.Raw = NOTHING
    ts: msgspec.Raw = NOTHING
    dur: msgspec.Raw = NOTHING
    id: msgspec.Raw = NOTHING
    id2: msgspec.Raw = NOTHING
    args: msgspec.Raw = NOTHING
    bind_id: msgspec.Raw = NOTHING
    flow_in: bool = False
    flow_out: bool = False


class TaskArgs(msgspec.Struct, gc=False):
    """The args by which slices are classified and joined, under all their spellings."""

    task_type: msgspec.Raw = msgspec.field(default=NOTHING, name="Task Type")
    plane_task_type: msgspec.Raw = msgspec.field(default=NOTHING, name="task type")
    stream: msgspec.Raw = msgspec.field(default=NOTHING, name="Stream Id")
    physic_stream: msgspec.Raw = msgspec.field(default=NOTHING, name="Physic Stream Id")
    plane_stream: msgspec.Raw = msgspec.field(default=NOTHING, name="stream id")
    task: msgspec.Raw = msgspec.field(default=NOTHING, name="Task Id")
    plane_task: msgspec.Raw = msgspec.field(default=NOTHING, name="task id")
    connection: msgspec.Raw = msgspec.field(default=NOTHING, name="connection_id")


_events = msgspec.json.Decoder(list[Event])
_event = msgspec.json.Decoder(Event)
_task_args = msgspec.json.Decoder(TaskArgs)
_text = msgspec.json.Decoder(str)
_object = msgspec.json.Decoder(dict[str, object])

NO_TASK_ARGS = TaskArgs()


def decode_events(block: bytes) -> list[Event]:
    """Decode comma-separated events; raise msgspec.MsgspecError if any is not clean."""
    return _events.decode(b"[" + block + b"]")


def decode_event(text: bytes) -> Event:
    """Decode one event; raise msgspec.MsgspecError if it is not clean JSON."""
    return _event.decode(text)


def decode_task_args(text: msgspec.Raw) -> TaskArgs:
    """Decode the args that classify a slice; args of any other form have none."""
    try:
        return _task_args.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return NO_TASK_ARGS


def raw_text(raw: msgspec.Raw) -> str:
    """Return a string's content or any other value's own text."""
    text = bytes(raw)
    if text[:1] == b'"':
        if text.isascii() and b"\\" not in text:
            return text[1:-1].decode()
        try:
            return _text.decode(text)
        except msgspec.MsgspecError:
            return text[1:-1].decode("utf-8", "backslashreplace")
    return text.decode("utf-8", "backslashreplace")


def repair_event(text: bytes) -> Event | None:
    r"""Read an event that strict JSON refuses; None if it is beyond repair.

    Accepts what real profilers and crashes leave in a string or number: raw control
    characters, invalid UTF-8 (shown as ``\xNN``), lone surrogates, NaN and Infinity
    (read as null), names that are not strings.
    """
    decoded = text.decode("utf-8", "surrogateescape")
    try:
        fields = _lenient(decoded, digits=True)
        args = _lenient(decoded, digits=False).get("args")
    except (ValueError, RecursionError, AttributeError):
        return None
    event = Event(
        ph=printable(str(fields.get("ph", ""))),
        name=_optional_text(fields.get("name")),
        cat=_optional_text(fields.get("cat")),
        flow_in=fields.get("flow_in") is True,
        flow_out=fields.get("flow_out") is True,
    )
    for key in ("pid", "tid", "ts", "dur", "id", "id2", "bind_id"):
        value = fields.get(key)
        if value is not None:
            setattr(event, key, msgspec.Raw(_json_bytes(value)))
    if args is not None:
        event.args = msgspec.Raw(_json_bytes(args))
    return event


def decode_object(text: msgspec.Raw) -> tuple[dict[str, object], bool]:
    """Decode a JSON object leniently; return it and whether it had to be repaired.

    Raises ValueError when it is none.
    """
    try:
        return _object.decode(text), False
    except msgspec.MsgspecError:
        pass
    try:
        found = _lenient(bytes(text).decode("utf-8", "surrogateescape"), digits=False)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return {printable(key): _clean(value) for key, value in found.items()}, True


def _lenient(text: str, *, digits: bool) -> dict[str, Any]:
    """Decode with the standard library; ``digits`` keeps numbers as the text of the file."""
    found = json.loads(
        text,
        strict=False,
        parse_constant=lambda _: None,
        parse_float=str if digits else _finite,
        parse_int=str if digits else int,
    )
    if not isinstance(found, dict):
        raise ValueError("not an object")  # noqa: TRY004 # as every other unreadable text
    return cast("dict[str, Any]", found)


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _optional_text(value: object) -> str | None:
    return None if value is None else printable(str(value))


def _json_bytes(value: object) -> bytes:
    return json.dumps(_clean(value), ensure_ascii=False).encode()


def _clean(value: object) -> object:
    """Return a decoded value whose every text is one that UTF-8 can hold."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_clean(one) for one in cast("list[object]", value)]
    if isinstance(value, dict):
        return {
            printable(str(key)): _clean(one)
            for key, one in cast("dict[str, object]", value).items()
        }
    return value
