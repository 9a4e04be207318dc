"""Events that are damaged, or stand among damage: each intact one is kept, the rest counted."""

import json
from pathlib import Path

import pytest
from command_line import Run
from kept_rows import Kept, kept

from npuview.ingest.compiled import VARIABLE, has_scanner
from npuview.ingest.errors import IngestError


def x(name: str, ts: object = 1, more: str = "") -> str:
    return f'{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":1{more}}}'


A, B, C = (x(name, ts) for ts, name in enumerate("ABC", 1))
LIST = f'{{"schemaVersion":1,"traceEvents":[{B}],"displayTimeUnit":"ns"}}'
TORN = A.replace('"A"', '"A')


class Read:
    """Reads a file of a text; tells names in the order of time, and findings with offsets."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, text: str | bytes) -> Kept:
        self.path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return kept(self.path)

    def names(self, text: str | bytes) -> list[str]:
        return self(text).names

    def losses(self, text: str | bytes) -> list[tuple[str, int, int | None]]:
        found = self(text).notices.values()
        return sorted(
            (one.name, one.count, one.first_offset) for one in found if one.severity != "info"
        )


@pytest.fixture(params=["on", "off"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose a reader; without a compiler both are the one in Python."""
    monkeypatch.setenv(VARIABLE, request.param)


@pytest.fixture
def read(tmp_path: Path, reader: None) -> Read:
    del reader
    return Read(tmp_path / "t.json")


@pytest.mark.parametrize(
    "text",
    [
        f"[{A}][{B}][{C}]",
        f"[{A}]\n{LIST}\n[{C}]\n",
        f'{{"traceEvents":[{A}]}}{LIST},{C}]',
        f'{{"traceEvents":[{A}],"a":[{{"b":1}},2]}}\n{{"traceEvents":[{B},{C}]}}',
        f"[[{A}],[{B},{C}]]",
        f"[{A},{B},{C}]",
        f"[{A}],{B},{C}",
        f"[{A}]" + " " * 3000 + f"[{B},{C}]",
        f"{A}\n{B}\n{C}\n",
    ],
)
def test_lists_that_were_joined_are_all_read_and_nothing_is_lost(read: Read, text: str) -> None:
    assert read.names(text) == ["A", "B", "C"]
    assert read.losses(text) == []


@pytest.mark.parametrize(
    ("damaged", "lost"),
    [
        (x("hel{},lo").replace("{}", B), "event_malformed"),
        (TORN, "event_malformed"),
        (TORN + "," + TORN, "event_malformed"),
        (x("open", 9, ',"args":{"a":1')[:-1], "event_malformed"),
        (x("list", 9, ',"args":{"l":[1,2')[:-1], "event_malformed"),
        (x("events", 9, ',"args":{"l":[')[:-1], "event_malformed"),
        ('"lo","args":{"a":[1,2],"b":{"ph":1}},"ts":1}', "text_between_events"),
        ('1],"a":1},"ts":1}', "text_between_events"),
        ("\0" * 5000, "text_between_events"),
        ("{" * 50, "event_malformed"),
        ('{"a":' * 50, "event_malformed"),
        ('{"ph":"X","name":"a"b"}', "event_malformed"),
        ('{"ph":"X",name:1}', "event_malformed"),
        ("{'ph':'X'}", "event_malformed"),
        ('{"ph":"X",}', "event_malformed"),
        ('{"ph":"X","ts":01}', "event_malformed"),
        ('{"ph":"X","args":{"a":tru}}', "event_malformed"),
        ('{"ph":"X","name":"\\q"}', "event_malformed"),
    ],
)
@pytest.mark.parametrize("form", ["[{}]", '{{"traceEvents":[{}],"displayTimeUnit":"ns"}}'])
def test_damage_costs_what_it_hits_and_no_neighbour(
    read: Read, damaged: str, lost: str, form: str
) -> None:
    text = form.format(f"{A},{damaged},{C},{C}")
    assert [name for name in read.names(text) if name in {"A", "C"}] == ["A", "C", "C"]
    assert ("B" in read.names(text)) == (B in damaged)
    losses = {name: offset for name, _, offset in read.losses(text)}
    assert losses[lost] == text.index(damaged)


def test_many_torn_events_are_counted_one_by_one(read: Read) -> None:
    text = f"[{A}," + ",".join([TORN, A[:-1], A[:30]] * 40) + f",{C}]"
    assert read.names(text) == ["A", "C"]
    assert read.losses(text) == [("event_malformed", 120, len(f"[{A},"))]


def test_an_intact_event_that_holds_events_is_one_event(read: Read) -> None:
    inner = ",".join([C] * 300)
    holder = x("holder", 5, f',"args":{{"events":[{inner}]}}')
    assert read.names(f"[{A},{TORN},{holder},{B}]") == ["A", "B", "holder"]


@pytest.mark.parametrize("key", ["traceEvent", "trace\\ud800Events", "trace\0vents"])
def test_a_damaged_key_of_the_list_does_not_lose_the_list(read: Read, key: str) -> None:
    text = f'{{"{key}":[{A},{B}],"displayTimeUnit":"ns"}}\n[{C}]'
    assert read.names(text) == ["A", "B", "C"]
    assert read.losses(text)


def test_other_keys_of_any_length_may_follow_the_events(read: Read) -> None:
    frames = json.dumps({str(n): {"name": "[f}", "parent": n} for n in range(60_000)})
    text = f'{{"traceEvents":[{A},{B}],"stackFrames":{frames},"x":[{{"a":1}},{{"b":2}}]}}'
    assert read.names(text) == ["A", "B"]
    assert read(text).notices == {}


@pytest.mark.parametrize("size", [10, 1 << 21])
def test_events_under_another_key_are_counted(read: Read, size: int) -> None:
    text = f'{{"traceEvents":[{A}],"pad":"{"x" * size}","systemTraceEvents":{{"events":[{B}]}}}}'
    assert read.names(text) == ["A"]
    assert [name for name, _, _ in read.losses(text)] == ["events_after_the_end"]


@pytest.mark.parametrize("padding", ["", "\n", "\0" * 9000, " \r\n\0"])
def test_room_behind_the_end_that_was_never_used_is_no_loss(read: Read, padding: str) -> None:
    assert read.losses(f"[{A},{B}]{padding}") == []


@pytest.mark.parametrize(
    "odd",
    [
        b'"name":"a\tb"',
        b'"name":"a\x01b"',
        b'"name":"a\0b"',
        b'"name":"a\nb"',
        b'"name":"a\xffb"',
        b'"name":"a\xed\xa0\x80b"',
        b'"name":"a\\ud800b"',
        b'"name":17',
        b'"args":{"v":NaN,"w":[-Infinity,Infinity]}',
        b'"args":{"op":"\xd6\xd0"}',
        b'"args":{"\xff":1,"s":"\x01\\udfff"}',
        b'"cat":5',
    ],
)
def test_odd_text_is_repaired_and_its_event_kept(read: Read, odd: bytes) -> None:
    damaged = b'{"ph":"X",' + odd + b',"pid":1,"tid":1,"ts":2,"dur":1}'
    found = read(b"[" + A.encode() + b"," + damaged + b"," + C.encode() + b"]")
    assert len(found.times) == 3
    repaired = found.notices["text_repaired"]
    assert (repaired.count, repaired.first_offset) == (1, len(f"[{A},"))
    for args in found.args:
        json.loads(args)


def test_numbers_of_repaired_args_keep_their_digits(read: Read) -> None:
    digits = '"n":[1.10,18446744073709551616,1e999,' + "9" * 5000 + "]"
    found = read("[" + x("a\tb", 1, f',"args":{{{digits}}}') + "]")
    assert found.args == [f"{{{digits}}}"]


@pytest.mark.parametrize("text", [x("A", 1), x("a\tb", 1), '{"ph":"M","name":"process_name"}'])
@pytest.mark.parametrize("depth", [900, 1000, 100_000])
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
def test_args_nested_deeper_than_anybody_reads_cost_themselves(
    read: Read, text: str, depth: int, brackets: tuple[str, str]
) -> None:
    opening, closing = brackets
    deep = f'{text[:-1]},"args":{{"x":{opening * depth}1{closing * depth}}}}}'
    found = read(f"[{A},{deep},{C}]")
    assert len(found.times) == 3 - ('"M"' in text)
    if depth == 100_000:
        assert found.notices["args_too_deep"].count == 1


@pytest.fixture(params=[1 << 20, pytest.param(64 << 20, marks=pytest.mark.slow)])
def longest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how long an event may be to be held as a whole, for each reader."""
    modules = ("frame", "scanned_timeline", "walk") if has_scanner() else ("frame", "walk")
    for module in modules:
        name = f"npuview.ingest.read.{module}.LONGEST_EVENT_BYTES"
        monkeypatch.setattr(name, request.param)
    return request.param


@pytest.mark.usefixtures("reader")
def test_an_event_longer_than_memory_should_hold_keeps_its_fields(
    tmp_path: Path, longest: int
) -> None:
    path = tmp_path / "t.json"
    with path.open("w") as file:
        file.write(f'[{A},{B[:-1]},"args":{{"first":1,"l":["')
        for _ in range((longest >> 20) + 12):
            file.write("x" * (1 << 20) + '\\"","')
        file.write(f'"]}},"cat":"late"}},{C}]')
    found = kept(path)
    assert [one.ts for one in found.in_order] == [1000, 2000, 3000]
    assert {name: one.first_offset for name, one in found.notices.items()} == {
        "args_cut": len(f"[{A},")
    }


@pytest.mark.usefixtures("reader")
def test_a_long_event_that_memory_holds_is_kept(tmp_path: Path, longest: int) -> None:
    path = tmp_path / "t.json"
    path.write_text(f'[{A},{B[:-1]},"args":{{"s":"{"x" * (longest - 100)}"}}}},{C}]')
    found = kept(path)
    assert [one.ts for one in found.in_order] == [1000, 2000, 3000]


@pytest.mark.usefixtures("reader")
def test_a_string_without_end_loses_what_follows_and_says_where(
    tmp_path: Path, longest: int
) -> None:
    path = tmp_path / "t.json"
    path.write_text(f"[{A},{TORN[:30]}" + "x" * (longest + (12 << 20)))
    found = kept(path)
    assert [one.ts for one in found.in_order] == [1000]
    [loss] = found.losses
    assert (loss.count, loss.first_offset) == (1, len(f"[{A},"))


@pytest.mark.usefixtures("reader")
def test_a_long_event_that_is_torn_ends_where_the_next_begins(tmp_path: Path, longest: int) -> None:
    path = tmp_path / "t.json"
    long = B[:-1] + ',"args":{"l":[' + '"x",' * ((longest + (12 << 20)) // 4)
    path.write_text(f"[{A},{long}{C},{C}]")
    found = kept(path)
    assert [one.ts for one in found.in_order] == [1000, 3000, 3000]
    [loss] = found.losses
    assert (loss.count, loss.first_offset) == (1, len(f"[{A},"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_refused_by_its_name(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(f"[{A}]".encode(encoding))
    with pytest.raises(IngestError, match="UTF-16"):
        kept(path)


def test_a_loss_is_told_by_the_exit_status(read: Read, run: Run) -> None:
    read.path.write_text(f"[{A},{TORN},{C}]")
    damaged = run("ingest", read.path)
    assert damaged.status == 3
    assert "1 data_loss" in damaged.err
    assert run("ingest", read.path, "--allow-damaged").status == 0
