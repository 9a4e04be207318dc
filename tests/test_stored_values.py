"""What is stored of an event is what the standard library's decoder reads in its text."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from event_texts import event_text
from hypothesis import given, settings
from hypothesis import strategies as st
from read_rows import Rows, reference_rows, scanned_rows
from splitter import MOST_DUR_NS, MOST_TS_NS, nanoseconds

from npuview.ingest.compiled import has_scanner

READERS = [reference_rows, scanned_rows] if has_scanner() else [reference_rows]
STREAMS = ("Physic Stream Id", "Stream Id", "stream id")
TASKS = ("Task Id", "task id")
TYPES = ("Task Type", "task type")
NO_NUMBERS = (-1, (1 << 32) - 1, (1 << 64) - 1)
BOUND = {"flow_in": "f", "flow_out": "s"}

Event = dict[str, Any]


def once(pairs: list[tuple[str, Any]]) -> Event:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("which one counts is a rule of the reader")
    return found


def decoded(text: str) -> Event | None:
    """Decode an event, floats as they are written, NaN as null; None if it is to be repaired."""
    try:
        event = json.loads(
            text, parse_float=str, parse_constant=lambda _: None, object_pairs_hook=once
        )
        json.dumps(event, ensure_ascii=False).encode()
    except ValueError:
        return None
    texts = [event.get(key) for key in ("ph", "name", "cat")]
    return event if all(one is None or isinstance(one, str) for one in texts) else None


def text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def time_of(event: Event, key: str, most: int) -> int | None:
    value = event.get(key)
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return nanoseconds(str(value), most)


def first_of(event: Event, keys: tuple[str, ...]) -> Any:  # noqa: ANN401 # a JSON value
    args = event.get("args")
    if not isinstance(args, dict):
        return None
    return next((args[key] for key in keys if key in args), None)


def number_of(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return None if number in NO_NUMBERS or abs(number) >= 1 << 63 else number


def slice_of(event: Event, seq: int) -> Event | None:
    """Return the row of a span or an instant, without what has numbers of its own."""
    ts = time_of(event, "ts", MOST_TS_NS)
    if event["ph"] not in {"X", "i", "I"} or ts is None:
        return None
    kind = first_of(event, TYPES)
    return {
        "seq": seq,
        "ts": ts,
        "dur": max(0, time_of(event, "dur", MOST_DUR_NS) or 0) if event["ph"] == "X" else 0,
        "name": event.get("name") or "",
        "category": event.get("cat"),
        "phase": "X" if event["ph"] == "X" else "i",
        "task_type": None if kind is None else text_of(kind),
        "stream_id": number_of(first_of(event, STREAMS)),
        "task_id": number_of(first_of(event, TASKS)),
        "connection_id": number_of(first_of(event, ("connection_id",))),
    }


def flows_of(event: Event, seq: int) -> Iterator[tuple[Any, ...]]:
    ts, phase = time_of(event, "ts", MOST_TS_NS), event["ph"]
    if ts is None:
        return
    ends = [(phase, "id")] if phase in {"s", "t", "f"} else []
    if phase in {"X", "i", "I", "B"}:
        ends = [(end, "bind_id") for key, end in BOUND.items() if event.get(key) is True]
    for end, key in ends:
        text = text_of(event[key]) if key in event else ""
        name = event.get("name") or ""
        if name != text:
            name = name.removesuffix(text)
        yield seq, "stf".index(end), event.get("cat") or "", name, text, ts


def values_of(event: Event) -> Iterator[tuple[Any, ...]]:
    ts, args = time_of(event, "ts", MOST_TS_NS), event.get("args")
    if event["ph"] != "C" or ts is None or not isinstance(args, dict):
        return
    values: Event = args
    if any(isinstance(value, list | dict) for value in values.values()):
        return
    instance = f" {text_of(event['id'])}" if event.get("id", "") != "" else ""
    for key, value in values.items():
        try:
            yield event.get("name") or "", key + instance, ts, float(value)
        except (TypeError, ValueError):
            continue


def assert_stored(rows: Rows, events: list[Event]) -> None:
    numbered = list(enumerate(events, 1))
    found = [row for row in rows.slices if row["phase"] in {"X", "i"}]
    expected = [row for seq, event in numbered if (row := slice_of(event, seq)) is not None]
    apart = {"lane", "arg_set_id"}
    assert [{k: v for k, v in row.items() if k not in apart} for row in found] == expected
    args = dict(rows.args)
    assert len(args) == len(rows.args)
    for row in found:
        event = events[row["seq"] - 1]
        if row["arg_set_id"] is not None:
            assert json.loads(args[row["arg_set_id"]], parse_float=str) == event["args"]
        else:
            assert len(text_of(event.get("args", ""))) <= len("{}")
    ends = [
        (row["seq"], row["phase"], row["category"], row["name"], str(row["key"]), row["ts"])
        for row in rows.flows
    ]
    assert sorted(ends) == sorted(end for seq, event in numbered for end in flows_of(event, seq))
    assert rows.counters == [value for event in events for value in values_of(event)]


@pytest.mark.parametrize("read", READERS)
@given(seed=st.integers(0, (1 << 32) - 1))
@settings(max_examples=600, deadline=None)
def test_values_are_those_of_the_standard_library(read: Callable[..., Rows], seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - made up the same every time
    texts = [event_text(chance) for _ in range(20)]
    found = [(text, event) for text in texts if (event := decoded(text)) is not None]
    text = "[" + ",".join(text for text, _ in found) + "]"
    assert_stored(read(text.encode()), [event for _, event in found])
