"""One trace event as it stands in the file: its fields and its exact number texts.

Numbers that matter (``ts``, ``dur``, ids) stay as the bytes of the file, so that
their digits are read once, as decimal text, and never pass through a float.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Any, cast

import msgspec

from ..text import printable
from .boundary import value_end

NOTHING = msgspec.Raw(b"")
NULL = msgspec.Raw(b"null")


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

_ARGS = re.compile(rb'"args"\s*:\s*(?=[{\[])')


def decode_events(block: bytes | memoryview) -> list[Event]:
    """Decode comma-separated events; raise msgspec.MsgspecError if any is not clean."""
    return _events.decode(_utf8(b"".join((b"[", block, b"]"))))


def decode_event(text: bytes) -> Event:
    """Decode one event; raise msgspec.MsgspecError if it is not clean JSON."""
    return _event.decode(_utf8(text))


def _utf8(text: bytes) -> bytes:
    """Return the text; values that are taken as they stand are not looked at otherwise."""
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise msgspec.DecodeError(str(error)) from error
    return text


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
    (read as null), names that are not strings. Raises RecursionError as decode_event does.
    """
    try:
        fields = _lenient(text, number=_digits)
    except ValueError:
        return None
    event = Event(
        ph=_text_of(fields.get("ph")) or "",
        name=_text_of(fields.get("name")),
        cat=_text_of(fields.get("cat")),
        flow_in=fields.get("flow_in") is True,
        flow_out=fields.get("flow_out") is True,
    )
    for key in ("pid", "tid", "ts", "dur", "id", "id2", "bind_id", "args"):
        if key in fields:
            setattr(event, key, msgspec.Raw(msgspec.json.encode(_clean(fields[key]))))
    return event


def without_args(text: bytes) -> Event | None:
    """Decode an event whose args are nested deeper than anybody can read, without them."""
    args = _ARGS.search(text)
    if args is None:
        return None
    end = value_end(text, args.end())
    rest = text[: args.start()] + b'"args":null' + text[end:]
    try:
        return decode_event(rest)
    except msgspec.MsgspecError:
        pass
    except RecursionError:
        return None
    try:
        return repair_event(rest)
    except RecursionError:
        return None


def decode_object(text: msgspec.Raw) -> tuple[dict[str, object], bool]:
    """Decode a JSON object leniently; return it and whether it had to be repaired.

    Raises ValueError when it is none.
    """
    try:
        return _object.decode(text), False
    except (msgspec.MsgspecError, RecursionError):
        pass
    try:
        found = _lenient(bytes(text), number=_finite)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return {printable(key): _clean(value) for key, value in found.items()}, True


def _lenient(text: bytes, *, number: Callable[[str], object]) -> dict[str, Any]:
    """Decode with the standard library; ``number`` is called with the digits of each."""
    found = json.loads(
        text.decode("utf-8", "surrogateescape"),
        strict=False,
        parse_constant=lambda _: None,
        parse_float=number,
        parse_int=number,
    )
    if not isinstance(found, dict):
        raise ValueError("not an object")  # noqa: TRY004 # as every other unreadable text
    return cast("dict[str, Any]", found)


def _digits(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


def _finite(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        number = float(text)
    return number if math.isfinite(number) else None


def _text_of(value: object) -> str | None:
    if value is None:
        return None
    return bytes(value).decode() if isinstance(value, msgspec.Raw) else printable(str(value))


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
