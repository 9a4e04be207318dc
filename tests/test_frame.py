"""Cutting a file into events: what is whole is kept, what is lost is counted."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.errors import IngestError
from npuview.ingest.notice import ImportLog, Notice
from npuview.ingest.read.event import Event
from npuview.ingest.read.frame import Frame
from npuview.ingest.read.source import TimelineSource

GOOD = b'{"ph":"X","name":"A","ts":"1.000","dur":1,"pid":1,"tid":1}'
OTHER = b'{"ph":"X","name":"B","ts":"2.000","dur":1,"pid":1,"tid":1}'


def read(text: bytes, chunk: int = 1 << 20) -> tuple[list[Event], dict[str, Notice]]:
    log = ImportLog()
    pieces = [text[at : at + chunk] for at in range(0, len(text), chunk)]
    events = [e for batch in Frame(pieces, "t.json", log).batches() for e in batch.events]
    return events, {notice.name: notice for notice in log}


def names(text: bytes, chunk: int = 1 << 20) -> list[str | None]:
    return [event.name for event in read(text, chunk)[0]]


@pytest.mark.parametrize(
    "text",
    [
        b"[" + GOOD + b"," + OTHER + b"]",
        b"\xef\xbb\xbf[" + GOOD + b"," + OTHER + b"]\n",
        b'{"traceEvents":[' + GOOD + b", " + OTHER + b'],"displayTimeUnit":"ns"}',
        b'{"otherData":{"a":[1,{"b":"x"}]},"traceEvents" : [\n' + GOOD + b"\n,\n" + OTHER + b"]}",
        b'{"traceEvents":[' + GOOD + b"," + OTHER + b'],"stackFrames":{"1":{"name":"[x]"}},"a":[]}',
        GOOD + b"\n" + OTHER + b"\n",
        b"  [ " + GOOD + b" ,\r\n" + OTHER + b" , ] ",
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 64, 1 << 20])
def test_every_envelope_gives_the_same_events(text: bytes, chunk: int) -> None:
    events, notices = read(text, chunk)
    assert [event.name for event in events] == ["A", "B"]
    assert not notices


def test_a_file_cut_at_any_byte_keeps_every_complete_event() -> None:
    escaped = rb'{"ph":"X","name":"q\"},{\"ph\":","args":{"s":"}]","n":[{"ph":1},{"a":{}}]},"ts":3}'
    whole = b"[" + b",".join([GOOD, escaped, OTHER]) + b"]"
    spans = [(at, at + len(one)) for one in (GOOD, escaped, OTHER) for at in (whole.index(one),)]
    for cut in range(1, len(whole)):
        events, notices = read(whole[:cut])
        assert len(events) == sum(end <= cut for _, end in spans), whole[:cut]
        torn = any(start < cut < end for start, end in spans)
        assert ("truncated" in notices) == torn, whole[:cut]
        if torn:
            assert notices["truncated"].severity == "data_loss"


@pytest.mark.parametrize(
    "damaged",
    [
        b'{"ph":"X","name":"a"b","ts":1}',
        b'{"ph":"X","name":"unterminated,"ts":1}',
        b'{"ph":"X",name:"no quotes","ts":1}',
        b'{"ph":"X","name":"open","args":{"a":1,"ts":1}',
        b'{"ph":"X","name":"two","ts":1,,}',
    ],
)
@pytest.mark.parametrize("chunk", [64, 1 << 20])
def test_one_damaged_event_costs_one_event(damaged: bytes, chunk: int) -> None:
    text = b"[" + b",".join([GOOD, damaged, OTHER, GOOD]) + b"]"
    events, notices = read(text, chunk)
    assert [event.name for event in events] == ["A", "B", "A"]
    lost = notices["event_malformed"]
    assert (lost.count, lost.first_offset) == (1, text.index(damaged))


@pytest.mark.parametrize(
    ("odd", "name"),
    [
        (b'{"ph":"X","name":"tab\there","ts":1}', "tab\there"),
        (b'{"ph":"X","name":"nul\x00","ts":1}', "nul\x00"),
        (b'{"ph":"X","name":"bad\xffutf8","ts":1}', r"bad\xffutf8"),
        (b'{"ph":"X","name":"half\\ud800","ts":1}', r"half\ud800"),
        (b'{"ph":"X","name":"nan","ts":1,"args":{"v":NaN,"w":-Infinity}}', "nan"),
        (b'{"ph":"X","name":17,"ts":1}', "17"),
    ],
)
def test_an_event_that_strict_json_refuses_is_repaired_and_counted(odd: bytes, name: str) -> None:
    events, notices = read(b"[" + GOOD + b"," + odd + b"]")
    assert [event.name for event in events] == ["A", name]
    assert notices["text_repaired"].count == 1


@pytest.mark.parametrize(
    "damage", [b"x[", b"x", b"\0\0", b'x"traceEvents": [', b'\0{"traceEvents":[']
)
def test_a_damaged_first_byte_costs_itself(damage: bytes) -> None:
    events, notices = read(damage + GOOD + b"," + OTHER + b"]")
    assert [event.name for event in events] == ["A", "B"]
    assert notices["text_between_events"].first_offset == 0


def test_a_damaged_event_before_a_repairable_one_costs_only_itself() -> None:
    odd = b'{"ph":"X","name":"tab\there","ts":1}'
    events, notices = read(b"[" + b",".join([GOOD, b'{"ph":"X",}', odd, OTHER]) + b"]")
    assert [event.name for event in events] == ["A", "tab\there", "B"]
    assert notices["event_malformed"].count == notices["text_repaired"].count == 1


def test_numbers_that_are_not_numbers_become_null_in_args() -> None:
    events, _ = read(b'[{"ph":"C","ts":1,"args":{"v":NaN,"big":18446744073709551616}}]')
    assert json.loads(bytes(events[0].args)) == {"v": None, "big": 18446744073709551616}


def test_text_between_events_is_counted_and_skipped() -> None:
    events, notices = read(b"[" + GOOD + b", garbage " + OTHER + b"]")
    assert [event.name for event in events] == ["A", "B"]
    assert notices["text_between_events"].severity == "data_loss"


@pytest.mark.parametrize(
    "text",
    [
        b"[" + GOOD + b"]\n[" + OTHER + b"]",
        b"[" + GOOD + b"]," + OTHER + b"]",
        b"[" + GOOD + b"] , " + OTHER,
    ],
)
@pytest.mark.parametrize("chunk", [7, 1 << 20])
def test_a_stray_bracket_does_not_end_the_events(text: bytes, chunk: int) -> None:
    events, notices = read(text, chunk)
    assert [event.name for event in events] == ["A", "B"]
    assert notices["bracket_between_events"].severity == "info"


def test_events_under_another_key_are_not_read_silently() -> None:
    text = b'{"traceEvents":[' + GOOD + b'],"systemTraceEvents":{"events":[' + OTHER + b"]}}"
    events, notices = read(text)
    assert [event.name for event in events] == ["A"]
    assert notices["events_after_the_end"].severity == "data_loss"


def test_args_nested_too_deep_are_dropped_and_the_event_is_kept() -> None:
    deep = b'{"ph":"X","name":"deep","args":{"x":' + b"[" * 3000 + b"]" * 3000 + b'},"ts":5}'
    events, notices = read(b"[" + b",".join([GOOD, deep, OTHER]) + b"]")
    assert [event.name for event in events] == ["A", "deep", "B"]
    assert bytes(events[1].ts) == b"5"
    assert notices["args_too_deep"].count == 1


def test_many_damaged_events_take_no_longer_than_they_are_long() -> None:
    # Each misses its closing brace, so that all of them look like one.
    text = b"[" + b",".join([GOOD[:-1]] * 3000) + b"," + OTHER + b"]"
    events, notices = read(text)
    assert [event.name for event in events] == ["B"]
    assert notices["event_malformed"].count == 3000


def test_bad_bytes_in_args_leave_valid_json() -> None:
    odd = b'{"ph":"X","name":"K\xd6","args":{"op":"\xd6\xd0","Task Type":"AI_CORE"},"ts":1}'
    [event], _ = read(b"[" + odd + b"]")
    assert json.loads(bytes(event.args)) == {"op": r"\xd6\xd0", "Task Type": "AI_CORE"}


@pytest.mark.parametrize(
    ("text", "said"),
    [(b"\xff\xfe[\x00", "UTF-16"), (b"hello", "byte 0"), (b'  "text"', "byte 2")],
)
def test_what_is_no_timeline_is_refused_with_the_place(text: bytes, said: str) -> None:
    with pytest.raises(IngestError, match=said):
        read(text)


@pytest.mark.parametrize("text", [b"", b"  \n", b"[]", b"[ ]", b'{"traceEvents":[]}'])
def test_an_empty_file_has_no_events_and_no_complaint(text: bytes) -> None:
    assert read(text) == ([], {})


json_text = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(
    args=st.lists(st.dictionaries(st.text(max_size=5), json_text, max_size=3), max_size=8),
    chunk=st.integers(1, 200),
    spaced=st.booleans(),
)
def test_blocks_of_any_size_give_the_events_of_the_json_module(
    args: list[dict[str, object]], chunk: int, spaced: bool
) -> None:
    written = [
        {"ph": "X", "name": f"n{place}", "ts": place, "args": one} for place, one in enumerate(args)
    ]
    separators = (", ", ": ") if spaced else (",", ":")
    text = json.dumps(written, separators=separators, ensure_ascii=False)
    events, notices = read(text.encode("utf-8", "surrogatepass"), chunk)
    assert [event.name for event in events] == [one["name"] for one in written]
    if "text_repaired" not in notices:
        assert [json.loads(bytes(event.args)) for event in events] == args


def packed(path: Path, content: bytes) -> list[bytes]:
    path.write_bytes(content)
    return list(TimelineSource(path, path.name, ImportLog()).chunks(16))


def test_gzip_and_zip_are_unpacked_by_content_not_by_name(tmp_path: Path) -> None:
    text = b"[" + b",".join([GOOD] * 50) + b"]"
    assert b"".join(packed(tmp_path / "a.json", gzip.compress(text))) == text
    archive = tmp_path / "b.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("trace.json", text)
    assert b"".join(packed(tmp_path / "c.json", archive.read_bytes())) == text


def test_a_cut_gzip_gives_what_it_holds_and_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "cut.json.gz"
    content = gzip.compress(b"[" + b",".join([GOOD, OTHER] * 500) + b"]")
    path.write_bytes(content[: len(content) // 2])
    log = ImportLog()
    chunks = b"".join(TimelineSource(path, path.name, log).chunks())
    assert chunks.startswith(b"[" + GOOD)
    assert [(notice.name, notice.severity) for notice in log] == [("truncated", "data_loss")]
