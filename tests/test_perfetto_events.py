import json
from collections import Counter
from collections.abc import Sequence

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trace_processor import Kept, events_of, load

from npuview.queries.perfetto_events import (
    Drawing,
    End,
    Sample,
    Slice,
    args_json,
    json_text,
    micros,
)

OFFSET_NS = 1_736_408_883_704_643_212
LAUNCH = ("HostToDevice", "HostToDevice")
SPANS = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([0, 0, 1, 2, 3, 6])), max_size=12)


def file_of(events: list[str]) -> str:
    return '{"traceEvents":[' + ",".join(events) + "]}"


def nested(spans: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """Return (start, length, sub-lane, depth) with every sub-lane properly nested."""
    sublanes: list[list[int]] = []
    placed: list[tuple[int, int, int, int]] = []
    for start, length in sorted(spans, key=lambda span: (span[0], -span[1])):
        for sublane in range(len(sublanes) + 1):
            if sublane == len(sublanes):
                sublanes.append([])
            ends = sublanes[sublane] = [end for end in sublanes[sublane] if end > start]
            if all(end >= start + length for end in ends):
                placed.append((start, length, sublane, len(ends)))
                ends.append(start + length)
                break
    return placed


def drawn(
    slices: list[Slice], arrows: Sequence[tuple[Slice, Slice]] = ()
) -> tuple[Drawing, list[str]]:
    drawing = Drawing({one.lane: f'"pid":1,"tid":{one.lane}' for one in slices}, OFFSET_NS)
    ends: dict[int, list[End]] = {}
    for number, (source, target) in enumerate(arrows, 1):
        ends.setdefault(source.slice_id, []).append(End(number, LAUNCH, True, source.ts))
        ends.setdefault(target.slice_id, []).append(End(number, LAUNCH, False, target.ts))
    ordered = sorted(slices, key=lambda one: (one.ts, -one.dur, one.lane))
    return drawing, list(drawing.events(ordered, ends, {}))


@st.composite
def pictures(draw: st.DrawFn) -> tuple[list[Slice], list[tuple[Slice, Slice]]]:
    slices: list[Slice] = []
    for track in range(draw(st.integers(1, 3))):
        for start, length, sublane, _ in nested(draw(SPANS)):
            number = len(slices) + 1
            phase = draw(st.sampled_from("Xi")) if length == 0 else "X"
            lane = 10 * track + sublane + 2
            slices.append(
                Slice(number, lane, OFFSET_NS + start, length, f"s{number}", None, phase, None)
            )
    pairs = (
        draw(st.lists(st.tuples(st.sampled_from(slices), st.sampled_from(slices)), max_size=12))
        if slices
        else []
    )
    return slices, pairs


@given(pictures())
def test_perfetto_keeps_every_slice_and_binds_every_arrow_to_its_own(
    picture: tuple[list[Slice], list[tuple[Slice, Slice]]],
) -> None:
    slices, pairs = picture
    drawing, events = drawn(slices, pairs)
    kept: Kept = load(events_of(file_of(events)))
    assert not kept.dropped
    assert kept.slices == Counter(
        (one.lane, one.ts - OFFSET_NS, one.dur, one.name) for one in slices
    )
    either_way = Counter(frozenset(names) for names in kept.arrows.elements())
    assert either_way == Counter(frozenset((a.name, b.name)) for a, b in pairs)
    assert drawing.slices + drawing.instants == len(slices)
    assert drawing.flows == len(pairs)


@given(pictures())
def test_an_arrow_runs_from_cause_to_effect_unless_it_points_back_in_time(
    picture: tuple[list[Slice], list[tuple[Slice, Slice]]],
) -> None:
    slices, pairs = picture
    forward = [(a, b) for a, b in pairs if a.ts < b.ts]
    backward = [(a, b) for a, b in pairs if a.ts > b.ts]
    drawing, events = drawn(slices, forward + backward)
    kept = load(events_of(file_of(events)))
    wanted = [(a.name, b.name) for a, b in forward] + [(b.name, a.name) for a, b in backward]
    assert kept.arrows == Counter(wanted)
    assert drawing.reversed_flows == len(backward)
    named = Counter(event["name"] for event in events_of(file_of(events)) if event["ph"] == "s")
    assert named["HostToDevice (reversed)"] == len(backward)


def test_an_arrow_between_slices_that_start_together_is_not_reversed() -> None:
    target = Slice(1, 2, OFFSET_NS, 5, "kernel", None, "X", None)
    source = Slice(2, 3, OFFSET_NS, 5, "launch", None, "X", None)
    drawing, events = drawn([target, source], [(source, target)])
    assert load(events_of(file_of(events))).arrows == Counter({("launch", "kernel"): 1})
    assert drawing.reversed_flows == 0


def test_an_end_within_its_slice_keeps_its_own_instant() -> None:
    one = Slice(1, 2, OFFSET_NS, 5, "launch", None, "X", None)
    drawing = Drawing({2: '"pid":1,"tid":2'}, OFFSET_NS)
    ends = {1: [End(1, LAUNCH, True, OFFSET_NS + 3), End(1, LAUNCH, False, None)]}
    _, source, target = drawing.events([one], ends, {})
    assert json.loads(source)["args"] == {"ts": 0.003}
    assert "args" not in json.loads(target)


def test_slices_without_arrows_at_one_start_are_complete_events() -> None:
    slices = [Slice(i, 2, OFFSET_NS, 9 - i, f"s{i}", None, "X", None) for i in range(4)]
    _, events = drawn(slices)
    assert [json.loads(event)["ph"] for event in events] == ["X"] * 4


@pytest.mark.parametrize(
    ("ns", "text"),
    [(0, "0.000"), (7, "0.007"), (1_234_567, "1234.567"), (-5, "-0.005"), (-1_234, "-1.234")],
)
def test_times_are_microseconds_with_three_decimals(ns: int, text: str) -> None:
    assert micros(ns) == text


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_time_reads_back_as_the_same_ns(ns: int) -> None:
    whole, decimals = micros(ns).split(".")
    assert len(decimals) == 3
    assert int(whole + decimals) == ns


@given(st.text(st.characters(exclude_categories=[])))
def test_every_name_is_a_json_string(name: str) -> None:
    written = orjson.loads(json_text(name))
    assert written == name.encode(errors="backslashreplace").decode()


@pytest.mark.parametrize(
    "text",
    [
        '{"connection_id":18446744073709551615,"big":123456789012345678901234567890}',
        '{"dur":7.10e-05,"list":[1,{"deep":null}]}',
        '{"Call stack":"a.py(1): f;\\r\\nb.py(2): g"}',
        '{"a" : "\\u4e2d \\\\ud83d"}',
    ],
)
def test_args_of_the_file_are_written_as_they_are(text: str) -> None:
    assert args_json(text) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"a":NaN}',
        '{"a":1e999}',
        '{"a":"\t"}',
        '{"a":"\\ud800"}',
        "[1]",
        "17",
        "",
        '{"a":1',
        "null",
    ],
)
def test_args_that_are_no_json_object_become_text(text: str) -> None:
    written = args_json(text)
    assert written is not None
    assert orjson.loads(written) == {"text": text}


@pytest.mark.parametrize("text", [None, "{}", " { } "])
def test_empty_args_are_not_written(text: str | None) -> None:
    assert args_json(text) is None


def test_a_character_that_is_written_as_two_escapes_becomes_itself() -> None:
    assert args_json('{"a":"\\uD83D\\uDE00 \\\\ud83d\\\\ude00"}') == '{"a":"😀 \\\\ud83d\\\\ude00"}'


def test_samples_of_one_instant_share_an_event_and_repeated_keys_do_not() -> None:
    drawing = Drawing({4: '"pid":1,"tid":4'}, 0)
    samples = [
        Sample(1_000, "Read", 1.5),
        Sample(1_000, "Write", 2.0),
        Sample(1_000, "Read", 3.0),
        Sample(2_000, None, -1e-7),
        Sample(2_000, "value", 4.0),
    ]
    events = [json.loads(event) for event in drawing.samples("HBM", 4, samples)]
    assert [event["args"] for event in events] == [
        {"Read": 1.5, "Write": 2.0},
        {"Read": 3.0},
        {"value": -1e-7},
        {"value": 4.0},
    ]
    assert {event["ph"] for event in events} == {"C"}
